// Blocks of nodes from the last to the first, each summed over rows and ranks, then handed to the decision.
#include "regrove/dist/validation_errors.hpp"

#include <algorithm>
#include <span>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/exact_sum.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/prune/reduced_error.hpp"

namespace regrove::dist {
namespace {

constexpr std::size_t k_block_nodes = 4096;
constexpr std::uint32_t k_no_parent = 0xffffffffU;

std::vector<std::uint32_t> parents_of(const model::Tree& tree) {
    std::vector<std::uint32_t> parents(tree.nodes.size(), k_no_parent);
    for (std::uint32_t i = 0; i < parents.size(); ++i) {
        if (tree.nodes[i].is_leaf()) continue;
        parents[index(tree.nodes[i].left)] = i;
        parents[index(tree.nodes[i].right)] = i;
    }
    return parents;
}

/// Errors that the rows of one rank make at each node of a tree, were it a leaf.
class NodeErrors {
  public:
    NodeErrors(const model::Tree& tree, const Answers& answers) : tree_(tree), rows_(answers.view()) {
        for (const model::Node& node : tree.nodes)
            classes_.push_back(static_cast<std::int32_t>(std::ranges::max_element(node.value) - node.value.begin()));
    }

    void add(std::size_t row, std::uint32_t node, ExactSum& sum) const {
        const double weight = rows_.weight_of(row);
        if (rows_.classes != 0) {
            if (rows_.true_class[row] != classes_[node]) sum.add(weight);
            return;
        }
        const double error = rows_.true_value[row] - tree_.nodes[node].value[0];
        sum.add_product(weight, error * error);
    }

  private:
    const model::Tree& tree_;
    metric::Predictions rows_;
    std::vector<std::int32_t> classes_;  ///< each node's answer
};

/// One tree of the ensemble, and this rank's rows in it.
struct TreeRows {
    const model::Tree& tree;
    std::vector<NodeId> leaves;  ///< of each row
};

/// Sums over this rank's rows for the nodes [begin, end), as words.
std::vector<std::int64_t> block_words(const TreeRows& rows, const NodeErrors& errors,
                                      const std::vector<std::uint32_t>& parents, std::size_t begin, std::size_t end) {
    std::vector<ExactSum> sums(end - begin);
    for (std::size_t row = 0; row < rows.leaves.size(); ++row) {
        // Parents have smaller numbers than their children.
        std::uint32_t node = index(rows.leaves[row]);
        for (; node != k_no_parent && node >= begin; node = parents[node])
            if (node < end) errors.add(row, node, sums[node - begin]);
    }
    std::vector<std::int64_t> words;
    words.reserve(sums.size() * ExactSum::k_words);
    for (const ExactSum& sum : sums) {
        const auto own = sum.words();
        words.insert(words.end(), own.begin(), own.end());
    }
    return words;
}

ReducedErrors reduce_tree(comm::Communicator& comm, const TreeRows& rows, const Answers& answers) {
    const NodeErrors errors(rows.tree, answers);
    const std::vector<std::uint32_t> parents = parents_of(rows.tree);
    prune::ReducedErrorPruning decision(rows.tree);
    for (std::size_t end = rows.tree.nodes.size(); end > 0;) {
        const std::size_t begin = end > k_block_nodes ? end - k_block_nodes : 0;
        std::vector<std::int64_t> words = block_words(rows, errors, parents, begin, end);
        comm.sum(std::span<std::int64_t>(words));
        for (std::size_t i = end - begin; i-- > 0;) {
            const auto own = std::span<const std::int64_t>(words).subspan(i * ExactSum::k_words, ExactSum::k_words);
            decision.add(ExactSum::from_words(own));
        }
        end = begin;
    }
    return {decision.cuts(), decision.error_before(), decision.error_after()};
}

}  // namespace

std::vector<ReducedErrors> reduced_errors(comm::Communicator& comm, const model::Ensemble& ensemble,
                                          const data::TableShard& shard) {
    Answers answers;
    std::vector<NodeId> leaves;
    comm::agree_on(comm, [&] {
        if (shard.global_rows == 0) throw InputError("the validation table has no rows");
        const infer::Predictor predictor(ensemble, shard.schema);
        answers = answer_rows(ensemble, predictor, shard);
        metric::validate(answers.view());
        leaves = predictor.leaves(shard);
    });
    std::vector<ReducedErrors> all;
    const std::size_t trees = ensemble.trees.size();
    for (std::size_t tree = 0; tree < trees; ++tree) {
        TreeRows rows{ensemble.trees[tree], {}};
        for (std::size_t at = tree; at < leaves.size(); at += trees) rows.leaves.push_back(leaves[at]);
        all.push_back(reduce_tree(comm, rows, answers));
    }
    return all;
}

}  // namespace regrove::dist
