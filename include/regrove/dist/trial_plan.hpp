// Which rows each trial of a cross-validation learns from and which it is judged by.
//
// Glossary:
//   trial   one model: fold f of repeat r, or one pair of files
//   sheet   the held-out answers for all rows of one table: of one repeat, or of one test file
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/dist/trial_table.hpp"
#include "regrove/train/folds.hpp"

namespace regrove::dist {

/// What a trial learns from and what it is judged by: places in whole tables, ascending.
struct TrialRows {
    std::size_t train_table = 0;
    std::size_t test_table = 0;
    std::vector<std::uint64_t> train;
    std::vector<std::uint64_t> test;
};

/// The trials of a cross-validation. Holds no lists of rows: they are made when a trial asks.
class TrialPlan {
  public:
    /// Folds of one table, made anew for each repeat. Throws as train::assign_folds does, ConfigError when given folds
    /// are to be repeated. Does not communicate.
    static TrialPlan of_folds(const TrialTable& table, const train::FoldOptions& options, train::Criterion criterion,
                              std::uint64_t seed, std::uint64_t repeats);
    /// Each trial learns from table 2 t and is judged by table 2 t + 1.
    static TrialPlan of_pairs(const std::vector<TrialTable>& tables);

    std::uint64_t trials() const { return repeats_ * folds_; }
    std::uint64_t repeats() const { return repeats_; }
    std::uint64_t folds() const { return folds_; }
    std::uint64_t repeat(std::uint64_t trial) const { return trial / folds_; }
    std::uint64_t fold(std::uint64_t trial) const { return trial % folds_; }
    /// "fold 3", "fold 3 of repeat 2"; counted from one.
    std::string name(std::uint64_t trial) const;
    /// Of the first repeat: how folds were made, names of given folds, warnings. Pairs: none.
    const std::optional<train::Folds>& made() const { return first_; }
    TrialRows rows(std::uint64_t trial) const;

    std::size_t sheets() const { return first_ ? repeats_ : folds_; }
    std::size_t sheet(std::uint64_t trial) const { return first_ ? repeat(trial) : fold(trial); }
    std::size_t table_of_sheet(std::size_t sheet) const { return first_ ? 0 : 2 * sheet + 1; }

  private:
    const std::vector<std::uint32_t>& fold_of_row(std::uint64_t repeat) const;

    std::uint64_t repeats_ = 1;
    std::uint64_t folds_ = 0;
    std::vector<std::uint64_t> table_rows_;
    std::optional<train::Folds> first_;
    // What later repeats are made of.
    const data::TableShard* roles_ = nullptr;
    train::FoldOptions options_;
    train::Criterion criterion_ = train::Criterion::automatic;
    std::uint64_t seed_ = 0;
    mutable std::uint64_t cached_repeat_ = 0;
    mutable std::vector<std::uint32_t> cached_;
};

}  // namespace regrove::dist
