// Folds of later repeats are made when asked for and kept until the next repeat: trials come in order.
#include "regrove/dist/trial_plan.hpp"

#include <numeric>

#include "regrove/core/error.hpp"

namespace regrove::dist {

TrialPlan TrialPlan::of_folds(const TrialTable& table, const train::FoldOptions& options, train::Criterion criterion,
                              std::uint64_t seed, std::uint64_t repeats) {
    TrialPlan plan;
    plan.repeats_ = repeats;
    plan.table_rows_ = {table.rows()};
    plan.roles_ = &table.roles();
    plan.options_ = options;
    plan.criterion_ = criterion;
    plan.seed_ = seed;
    plan.first_ = train::assign_folds(table.roles(), options, criterion, {seed, 0});
    plan.folds_ = plan.first_->count;
    if (plan.first_->method == train::FoldMethod::given && repeats > 1)
        throw ConfigError("--repeats " + std::to_string(repeats) +
                          ": the fold column says one division only; leave --repeats out, or choose another --split");
    return plan;
}

TrialPlan TrialPlan::of_pairs(const std::vector<TrialTable>& tables) {
    TrialPlan plan;
    plan.folds_ = tables.size() / 2;
    for (const TrialTable& table : tables) plan.table_rows_.push_back(table.rows());
    return plan;
}

std::string TrialPlan::name(std::uint64_t trial) const {
    return "fold " + std::to_string(fold(trial) + 1) +
           (repeats_ > 1 ? " of repeat " + std::to_string(repeat(trial) + 1) : "");
}

const std::vector<std::uint32_t>& TrialPlan::fold_of_row(std::uint64_t repeat) const {
    if (repeat == 0) return first_->of_row;
    if (repeat != cached_repeat_) {
        cached_ = train::assign_folds(*roles_, options_, criterion_, {seed_, repeat}).of_row;
        cached_repeat_ = repeat;
    }
    return cached_;
}

TrialRows TrialPlan::rows(std::uint64_t trial) const {
    TrialRows rows;
    if (!first_) {
        rows.train_table = 2 * fold(trial);
        rows.test_table = rows.train_table + 1;
        rows.train.resize(table_rows_[rows.train_table]);
        rows.test.resize(table_rows_[rows.test_table]);
        std::iota(rows.train.begin(), rows.train.end(), 0U);
        std::iota(rows.test.begin(), rows.test.end(), 0U);
        return rows;
    }
    const auto& fold_of = fold_of_row(repeat(trial));
    for (std::uint64_t row = 0; row < fold_of.size(); ++row)
        (fold_of[row] == fold(trial) ? rows.test : rows.train).push_back(row);
    return rows;
}

}  // namespace regrove::dist
