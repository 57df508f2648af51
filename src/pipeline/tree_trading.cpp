// Pairs are counted by all ranks; every rank trades alike.
#include "regrove/pipeline/tree_trading.hpp"

#include <algorithm>

#include "regrove/algebra/score_bound.hpp"
#include "regrove/algebra/tree_trade.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/monomial_pairs.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_most_monomials = 20'000;
/// Their covariances take 8 bytes a pair.
constexpr std::size_t k_most_trees = 10'000;

}  // namespace

TradedPolynomial trade_trees(comm::Communicator& comm, const algebra::Polynomial& polynomial,
                             const algebra::SymmetricOptions& options, const data::TableShard& training,
                             double cost_of_a_tree) {
    algebra::SymmetricPlan plan;
    agree_plainly(comm, [&] {
        if (polynomial.size() > k_most_monomials)
            throw LimitError("--tree-cost: the model has " + std::to_string(polynomial.size()) +
                             " monomials, but at most " + std::to_string(k_most_monomials) +
                             " can be weighed against each other; prune it by monomials first");
        plan = algebra::plan_symmetric(polynomial, options);
        const std::size_t trees = plan.groups.size() + plan.tail.size();
        if (trees > k_most_trees)
            throw LimitError(
                "--tree-cost: the monomials pack into " + std::to_string(trees) + " trees, but at most " +
                std::to_string(k_most_trees) +
                " can be weighed against each other; raise --symmetric-depth, or prune by monomials first");
    });
    const std::vector<std::uint32_t> places = algebra::places_of(plan);
    const algebra::MonomialPairs pairs = dist::monomial_pairs(comm, polynomial, places, training);
    const std::uint64_t rows = comm.sum(training.rows);
    TradedPolynomial result;
    agree_plainly(comm, [&] {
        if (rows == 0) throw InputError("--data has no rows to weigh trees by");
        const algebra::TreeTrade trade = algebra::trade_trees(polynomial, plan, pairs, rows, cost_of_a_tree);
        result.polynomial = algebra::traded(polynomial, plan, trade);
        result.trees_left_out = static_cast<std::uint64_t>(std::ranges::count(trade.kept, 0));
        result.squared_error = trade.squared_error;
        result.change_bound = algebra::score_bound(algebra::traded_away(polynomial, plan, trade));
    });
    return result;
}

}  // namespace regrove::pipeline
