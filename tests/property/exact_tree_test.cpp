// Every node of an exact tree against a plain search over all questions, on random small tables.
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "regrove/core/portable_math.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/infer/predictor.hpp"

#include "support/random_table.hpp"

namespace regrove {
namespace {

using train::CategoryQuestions;
using train::Criterion;
using train::MissingSplit;

/// A table's cells as plain doubles.
struct PlainTable {
    std::vector<std::vector<double>> features;  ///< NaN: missing; categories by code
    std::vector<bool> categorical;
    std::vector<std::uint32_t> levels;
    std::vector<double> target;
    std::vector<double> weight;
};

PlainTable plain(const data::TableShard& table) {
    PlainTable result;
    result.weight.assign(table.rows, 1);
    for (std::size_t c = 0; c < table.values.size(); ++c) {
        const auto& column = table.schema.columns[c];
        std::vector<double> cells(table.rows);
        for (std::size_t row = 0; row < table.rows; ++row)
            cells[row] = data::as_double(column.type, table.values[c], row);
        if (column.role == data::ColumnRole::label)
            result.target = cells;
        else if (column.role == data::ColumnRole::weight)
            result.weight = cells;
        else {
            result.features.push_back(cells);
            result.categorical.push_back(column.type == data::ColumnType::category);
            result.levels.push_back(static_cast<std::uint32_t>(column.categories.size()));
        }
    }
    return result;
}

/// Impurity times weight of some rows, from its definition.
double weighted_impurity(const PlainTable& table, const std::vector<std::size_t>& rows, Criterion criterion) {
    double total = 0;
    double sum = 0;
    std::vector<double> classes(16, 0);
    for (const auto row : rows) {
        total += table.weight[row];
        sum += table.weight[row] * table.target[row];
        if (criterion != Criterion::squared_error)
            classes[static_cast<std::size_t>(table.target[row])] += table.weight[row];
    }
    if (total == 0) return 0;
    double impurity = criterion == Criterion::gini ? 1 : 0;
    if (criterion == Criterion::squared_error) {
        for (const auto row : rows) impurity += table.weight[row] * std::pow(table.target[row] - sum / total, 2);
        return impurity;
    }
    for (const double w : classes) {
        const double p = w / total;
        if (criterion == Criterion::gini)
            impurity -= p * p;
        else if (p > 0)
            impurity -= p * std::log2(p);
    }
    return impurity * total;
}

struct Oracle {
    const PlainTable& table;
    const train::CartOptions& options;
    Criterion criterion;
    bool subsets_are_exact;

    double weight(const std::vector<std::size_t>& rows) const {
        double sum = 0;
        for (const auto row : rows) sum += table.weight[row];
        return sum;
    }

    /// Weighted gain of a split, or nullopt where the limits forbid it.
    std::optional<double> gain(const std::vector<std::size_t>& left, const std::vector<std::size_t>& right) const {
        if (left.size() < options.min_rows_leaf || right.size() < options.min_rows_leaf) return std::nullopt;
        if (weight(left) == 0 || weight(right) == 0) return std::nullopt;
        std::vector<std::size_t> all = left;
        all.insert(all.end(), right.begin(), right.end());
        return weighted_impurity(table, all, criterion) - weighted_impurity(table, left, criterion) -
               weighted_impurity(table, right, criterion);
    }

    /// The best weighted gain over all questions, zero at least.
    double best(const std::vector<std::size_t>& rows) const { return best(rows, true); }

    /// The same over the questions that the search is sure to cover: where rows without a value would do best on
    /// their own, which `side` does not ask, the order theorem says nothing about subsets (category_split.hpp).
    double surely_found(const std::vector<std::size_t>& rows) const { return best(rows, false); }

    double best(const std::vector<std::size_t>& rows, bool beyond_theorem) const {
        double best = 0;
        for (std::size_t f = 0; f < table.features.size(); ++f) {
            best = std::max(best, beyond_theorem ? best_of_feature(rows, f) : surely_found_of(rows, f));
        }
        return best;
    }

    double best_of_feature(const std::vector<std::size_t>& rows, std::size_t f) const {
        double best = 0;
        for (const auto& [left, right, missing] : partitions(rows, f)) {
            best = std::max(best, best_of(left, right, missing));
        }
        return best;
    }

    double surely_found_of(const std::vector<std::size_t>& rows, std::size_t f) const {
        const double best = best_of_feature(rows, f);
        return missing_does_best_alone(rows, f, best) ? 0 : best;
    }

    bool missing_does_best_alone(const std::vector<std::size_t>& rows, std::size_t f, double best_of_feature) const {
        if (!table.categorical[f] || options.missing_split != MissingSplit::side) return false;
        std::vector<std::size_t> valued;
        std::vector<std::size_t> missing;
        for (const auto row : rows) (std::isnan(table.features[f][row]) ? missing : valued).push_back(row);
        return gain(valued, missing).value_or(0) > best_of_feature;
    }

    double best_of(const std::vector<std::size_t>& left, const std::vector<std::size_t>& right,
                   const std::vector<std::size_t>& missing) const {
        if (missing.empty() || options.missing_split == MissingSplit::surrogate) return gain(left, right).value_or(0);
        double best = 0;
        for (int side = 0; side < 2; ++side) {
            auto l = left;
            auto r = right;
            auto& into = side == 0 ? l : r;
            into.insert(into.end(), missing.begin(), missing.end());
            best = std::max(best, gain(l, r).value_or(0));
        }
        return best;
    }

    struct Partition {
        std::vector<std::size_t> left;
        std::vector<std::size_t> right;
        std::vector<std::size_t> missing;
    };

    std::vector<Partition> partitions(const std::vector<std::size_t>& rows, std::size_t f) const {
        const auto& cells = table.features[f];
        std::vector<Partition> result;
        std::vector<std::size_t> missing;
        std::vector<double> values;
        for (const auto row : rows) {
            if (std::isnan(cells[row]))
                missing.push_back(row);
            else
                values.push_back(cells[row]);
        }
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        const auto cut = [&](const auto& goes_right) {
            Partition partition{{}, {}, missing};
            for (const auto row : rows) {
                if (std::isnan(cells[row])) continue;
                (goes_right(cells[row]) ? partition.right : partition.left).push_back(row);
            }
            // Rows without a value may stand alone only where that is a question (below).
            if (!partition.left.empty() && !partition.right.empty()) result.push_back(std::move(partition));
        };
        const bool missing_is_category = options.missing_split == MissingSplit::separate && table.categorical[f];
        if (!table.categorical[f]) {
            for (std::size_t i = 1; i < values.size(); ++i) cut([&](double x) { return x >= values[i]; });
        } else {
            const bool subsets = options.category_questions == CategoryQuestions::subset && subsets_are_exact;
            const std::uint32_t sets = 1U << table.levels[f];
            for (std::uint32_t set = 1; set + 1 < sets; ++set) {
                if (!subsets && std::popcount(set) != 1) continue;
                cut([&](double x) { return ((set >> static_cast<std::uint32_t>(x)) & 1U) != 0; });
            }
            if (missing_is_category && !subsets) {
                // One category against the rest, and "no value" is part of the rest.
                for (auto& partition : result) {
                    partition.left.insert(partition.left.end(), missing.begin(), missing.end());
                    partition.missing.clear();
                }
            }
        }
        if (options.missing_split == MissingSplit::separate && !missing.empty() && !values.empty()) {
            result.push_back({{}, {}, {}});
            for (const auto row : rows)
                (std::isnan(cells[row]) ? result.back().right : result.back().left).push_back(row);
        }
        return result;
    }
};

bool goes_right(const model::Question& question, const PlainTable& table, std::size_t row) {
    const auto ask = [&](const auto& asked) -> std::optional<bool> {
        const double cell = table.features[index(asked.feature)][row];
        if (std::isnan(cell)) return std::nullopt;
        if (asked.kind == model::QuestionKind::threshold) return cell > asked.threshold;
        return model::contains(asked.right_categories, static_cast<std::uint32_t>(cell));
    };
    if (const auto own = ask(question)) return *own;
    for (const auto& surrogate : question.surrogates) {
        const double cell = table.features[index(surrogate.feature)][row];
        const bool unseen = surrogate.kind == model::QuestionKind::category && !std::isnan(cell) &&
                            !model::contains(surrogate.seen_categories, static_cast<std::uint32_t>(cell));
        if (unseen) continue;
        if (const auto side = ask(surrogate)) return *side != surrogate.reversed;
    }
    return question.missing_side == model::Side::right;
}

void check_node(const model::Tree& tree, NodeId id, const std::vector<std::size_t>& rows, const Oracle& oracle) {
    const model::Node& node = tree.node(id);
    ASSERT_EQ(node.rows, rows.size());
    const double best = oracle.best(rows);
    const double scale = std::max(1.0, weighted_impurity(oracle.table, rows, oracle.criterion));
    EXPECT_NEAR(node.impurity * oracle.weight(rows), weighted_impurity(oracle.table, rows, oracle.criterion),
                1e-6 * scale);
    if (node.is_leaf()) {
        EXPECT_LT(oracle.surely_found(rows), 1e-9 * scale) << "a leaf that could be split";
        return;
    }
    std::vector<std::size_t> left;
    std::vector<std::size_t> right;
    for (const auto row : rows) (goes_right(node.question, oracle.table, row) ? right : left).push_back(row);
    if (oracle.options.missing_split == MissingSplit::surrogate) {
        // Gains count the rows with a value only.
        std::vector<std::size_t> valued_left;
        std::vector<std::size_t> valued_right;
        const auto& cells = oracle.table.features[index(node.question.feature)];
        for (const auto row : left)
            if (!std::isnan(cells[row])) valued_left.push_back(row);
        for (const auto row : right)
            if (!std::isnan(cells[row])) valued_right.push_back(row);
        EXPECT_NEAR(oracle.gain(valued_left, valued_right).value_or(-1), best, 1e-9 * scale);
        EXPECT_NEAR(node.gain * oracle.weight(rows), best, 1e-6 * scale);
    } else {
        const double found = oracle.gain(left, right).value_or(-1);
        EXPECT_LE(found, best + 1e-9 * scale);
        EXPECT_GE(found, oracle.surely_found(rows) - 1e-9 * scale);
        EXPECT_NEAR(node.gain * oracle.weight(rows), found, 1e-6 * scale);
    }
    // Of equal gains the first feature's wins: no earlier one gains as much.
    for (std::uint32_t f = 0; f < index(node.question.feature); ++f) {
        if (oracle.surely_found_of(rows, f) > 0) {
            EXPECT_LT(oracle.surely_found_of(rows, f), node.gain * oracle.weight(rows) - 1e-11 * scale)
                << "feature " << f;
        }
    }
    check_node(tree, node.left, left, oracle);
    check_node(tree, node.right, right, oracle);
}

class RandomTables : public testing::TestWithParam<int> {};

TEST_P(RandomTables, EveryNodeAsksTheBestQuestion) {
    const int seed = GetParam();
    test::RandomTableShape shape;
    shape.seed = static_cast<std::uint64_t>(seed);
    shape.rows = 12 + static_cast<std::uint32_t>(seed % 5) * 9;
    shape.classes = std::array<std::uint32_t, 4>{2, 0, 3, 2}[static_cast<std::size_t>(seed % 4)];
    shape.missing_share = seed % 3 == 0 ? 0 : 0.25;
    shape.weighted = seed % 5 == 1 || seed % 5 == 3;
    shape.real_weights = seed % 5 == 3;
    shape.levels = 2 + static_cast<std::uint32_t>(seed % 4);
    train::CartOptions options;
    options.criterion = shape.classes == 0 ? Criterion::squared_error
                        : seed % 2 == 0    ? Criterion::gini
                                           : Criterion::entropy;
    options.missing_split =
        std::array{MissingSplit::side, MissingSplit::separate, MissingSplit::surrogate}[seed / 4 % 3];
    options.category_questions = shape.classes == 3 || seed % 7 == 0 || seed % 6 == 5 ? CategoryQuestions::one_vs_rest
                                                                                      : CategoryQuestions::subset;
    // A limit on rows breaks the theorem by which ordered subsets are optimal: such tables ask one against the rest.
    options.min_rows_leaf = seed % 6 == 5 ? 3 : 1;
    const data::TableShard table = test::random_table(shape);
    const auto comm = comm::make_self_communicator();
    const dist::TrainingSet set = dist::make_training_set(*comm, table, options);
    const dist::GrownTree grown = dist::grow_cart_tree(*comm, set, options);
    const PlainTable cells = plain(table);
    const Oracle oracle{cells, options, options.criterion, shape.classes != 3};
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < table.rows; ++row) {
        if (cells.weight[row] > 0) rows.push_back(row);
    }
    check_node(grown.tree, NodeId{0}, rows, oracle);
    // Prediction sends every row to the leaf that counted it.
    const model::Ensemble ensemble = dist::make_ensemble(set, grown.tree);
    const infer::Predictor predictor(ensemble, table.schema);
    const std::vector<NodeId> leaves = predictor.leaves(table);
    std::vector<std::uint64_t> counts(grown.tree.nodes.size(), 0);
    for (const auto row : rows) counts[index(leaves[row])] += 1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        EXPECT_EQ(counts[i], grown.tree.nodes[i].is_leaf() ? grown.tree.nodes[i].rows : 0U) << "node " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTables, testing::Range(0, 400));

}  // namespace
}  // namespace regrove
