// Synthetic tables in which row i is a pure function of (seed, i), so that any rank can make any rows.
//
// Glossary of the module:
//   kind   a family of tables, one row of the table of generators
//   slot   one stream of random numbers of a kind; the draw of slot s for row i is CounterRandom(seed, (kind, s)) at
//   i
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "regrove/core/random.hpp"
#include "regrove/data/table.hpp"

namespace regrove::generate {

/// The random streams of one kind of table.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint32_t kind) : seed_(seed), kind_(kind) {}
    /// The stream of `slot`, indexed by row.
    CounterRandom slot(std::uint32_t slot) const { return {seed_, (std::uint64_t{kind_} << 32U) | slot}; }

  private:
    std::uint64_t seed_;
    std::uint32_t kind_;
};

/// One kind. `fill` sets the cells [begin, end) of a shard whose columns are as long as its rows; the global row of
/// cell i is shard.first_row + i. It is called from several threads, on disjoint ranges.
struct Generator {
    std::string name;
    std::string purpose;  ///< one line for --help
    std::uint32_t id;     ///< part of every random stream: never changes, never used twice
    std::uint32_t default_features;
    std::uint32_t least_features;
    std::uint32_t most_features;
    data::Schema (*schema)(std::uint32_t features);
    void (*fill)(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end);
};

/// All kinds, in the order of --help.
std::span<const Generator> generators();

/// Throws ConfigError, which names the kinds there are.
const Generator& find_generator(std::string_view name);

struct GenerateOptions {
    std::uint32_t features = 0;  ///< zero: the kind's own number
};

/// Throws ConfigError when the kind has no tables with that many features.
data::Schema generated_schema(const Generator& kind, const GenerateOptions& options);

/// Rows [first_row, first_row + rows) of the infinite table (kind, seed, options); global_rows is where they end.
data::TableShard generate_rows(const Generator& kind, std::uint64_t seed, RowIndex first_row, std::uint64_t rows,
                               const GenerateOptions& options = {});

}  // namespace regrove::generate
