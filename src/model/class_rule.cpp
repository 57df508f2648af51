// Summing what the leaves add, in tree order, as prediction does.
#include "regrove/model/class_rule.hpp"

#include <array>

#include "regrove/core/check.hpp"
#include "regrove/model/node_tables.hpp"

namespace regrove::model {

namespace {

/// Sums of at most so many classes need no memory of their own.
constexpr std::size_t k_few_classes = 16;

}  // namespace

ClassRule::ClassRule(const Ensemble& ensemble) : classes_(ensemble.outputs()), divisor_(1) {
    REGROVE_CHECK(ensemble.task == Task::classification);
    if (ensemble.combination == Combination::sum) {
        scores_ = sum_tables(ensemble);
        return;
    }
    // One tree alone: the weights themselves, since normalising could round two of them together.
    scores_ = ensemble.trees.size() == 1 ? value_tables(ensemble) : class_tables(ensemble);
    if (ensemble.trees.size() > 1) divisor_ = ensemble.total_tree_weight();
}

std::uint32_t ClassRule::class_of_sums(std::span<const double> sums) const {
    REGROVE_CHECK(sums.size() == classes_);
    std::uint32_t best = 0;
    double most = sums[0] / divisor_;
    for (std::uint32_t k = 1; k < classes_; ++k) {
        const double mean = sums[k] / divisor_;
        if (!(mean > most)) continue;
        best = k;
        most = mean;
    }
    return best;
}

std::uint32_t ClassRule::decide(std::span<const NodeId> leaves) const {
    REGROVE_CHECK(leaves.size() == trees());
    std::array<double, k_few_classes> few{};
    std::vector<double> many(classes_ > k_few_classes ? classes_ : 0);
    const std::span<double> sums(many.empty() ? few.data() : many.data(), classes_);
    for (std::size_t tree = 0; tree < leaves.size(); ++tree) {
        const std::span<const double> added = scores(tree, leaves[tree]);
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += added[k];
    }
    return class_of_sums(sums);
}

}  // namespace regrove::model
