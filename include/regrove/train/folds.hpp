// Which fold of a cross-validation holds each row.
//
// Glossary:
//   fold     the rows that one trial keeps back; every row is in exactly one fold of a repeat
//   repeat   one random division of all rows into folds; repeats are independent of each other
// All random orders are keyed by (seed, repeat) and made of whole tables: they know nothing of ranks or threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/data/table.hpp"
#include "regrove/train/cart_options.hpp"

namespace regrove::train {

enum class FoldMethod : std::uint8_t {
    automatic,  ///< given if there is a fold column, grouped if there is a group column, else stratified for classes,
                ///< plain for numbers
    plain,      ///< a random order is dealt out
    stratified,  ///< each fold has its share of every class, or of every range of a numeric label
    grouped,     ///< rows of one group stay together
    given,       ///< the table's fold column says it
};

struct FoldOptions {
    FoldMethod method = FoldMethod::automatic;
    std::uint32_t folds = 10;  ///< `given` has as many as the column has values
};

/// --split and --folds.
void list_options(FoldOptions& options, OptionTable& table);
std::string_view to_text(FoldMethod method);

struct Folds {
    FoldMethod method = FoldMethod::plain;  ///< never automatic
    std::uint32_t count = 0;
    std::vector<std::uint32_t> of_row;  ///< below `count`
    std::vector<std::string> names;     ///< of given folds: the column's values; else empty
    std::vector<std::string> warnings;
};

/// The random order that decides within a repeat.
struct FoldOrder {
    std::uint64_t seed = 0;
    std::uint64_t repeat = 0;
};

/// Folds whose sizes differ by at most one. Throws ConfigError when there are more folds than rows. O(rows).
std::vector<std::uint32_t> plain_folds(std::uint64_t rows, std::uint32_t folds, FoldOrder order);

/// As plain_folds; and two folds' numbers of rows of any one class differ by at most one, too. O(rows + classes).
std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> classes, std::uint32_t folds,
                                            FoldOrder order);

/// As plain_folds; and of the rows sorted by label, each run of `folds` neighbours is spread over all folds. Ties are
/// ordered at random. O(rows log rows).
std::vector<std::uint32_t> stratified_folds(std::span<const double> labels, std::uint32_t folds, FoldOrder order);

/// All rows of a group in one fold: the largest group first (equals at random), each into the fold with the fewest rows.
/// Groups are numbered densely from zero. Throws ConfigError when there are more folds than groups.
std::vector<std::uint32_t> grouped_folds(std::span<const std::uint32_t> groups, std::uint32_t folds, FoldOrder order);

/// Whether this label column is learned as numbers, not as classes.
bool label_is_a_number(const data::ColumnSchema& label, Criterion criterion);

/// Folds of a whole table by its label, group or fold column (other columns are not looked at). Throws ConfigError when
/// the method does not fit the table or there are too many folds; InputError on a missing label, group or fold. Warns of
/// classes with fewer rows than folds.
Folds assign_folds(const data::TableShard& whole, const FoldOptions& options, Criterion criterion, FoldOrder order);

}  // namespace regrove::train
