// Boosted trees on small random tables: every node's question gains as much as the best of all binned ones, tried one by one.
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/train/boosting_tree_grower.hpp"

#include "support/boosting_tables.hpp"

namespace regrove::train {
namespace {

using test::code_at;

struct Case {
    std::string name;
    test::BinnedShape shape;
    BoostingOptions options;
    bool constant_hessian = false;
    std::vector<std::int8_t> monotone;
};

struct Sums {
    double g = 0;
    double h = 0;
    std::size_t rows = 0;
};

double soft(double g, double alpha) { return g > alpha ? g - alpha : g < -alpha ? g + alpha : 0; }

double value(const Sums& s, const BoostingOptions& o) {
    const double w = -soft(s.g, o.reg_alpha) / (s.h + o.reg_lambda);
    return o.max_delta_step > 0 ? std::clamp(w, -*o.max_delta_step, *o.max_delta_step) : w;
}

/// Half of what a leaf lowers the loss by, from the loss itself: -(G w + (H + lambda) w^2 / 2 + alpha |w|).
double lowered(const Sums& s, const BoostingOptions& o) {
    const double w = value(s, o);
    return -(s.g * w + (s.h + o.reg_lambda) * w * w / 2 + o.reg_alpha * std::fabs(w));
}

using GoesRight = std::function<bool(std::uint32_t)>;
/// The gain of a division that is not allowed.
constexpr double k_refused = -1e9;

class BruteForce {
  public:
    BruteForce(const Case& c, const BoostingTable& table, const test::RandomGradients& random)
        : c_(c), table_(table), random_(random) {}

    double gain(const std::vector<std::size_t>& rows, std::uint32_t feature, const GoesRight& right) const {
        Sums l;
        Sums r;
        for (const auto row : rows) add(right(code_at(table_.column(feature), row)) ? r : l, row);
        const BoostingOptions& o = c_.options;
        if (l.rows < std::max<std::uint64_t>(o.min_rows_leaf, 1) ||
            r.rows < std::max<std::uint64_t>(o.min_rows_leaf, 1))
            return k_refused;
        if (l.h < o.min_child_weight || r.h < o.min_child_weight) return k_refused;
        if (!c_.monotone.empty() && c_.monotone[feature] * (value(r, o) - value(l, o)) < 0) return k_refused;
        return lowered(l, o) + lowered(r, o) - lowered(sums(rows), o);
    }
    Sums sums(const std::vector<std::size_t>& rows) const {
        Sums s;
        for (const auto row : rows) add(s, row);
        return s;
    }
    double best_gain(const std::vector<std::size_t>& rows) const {
        double best = k_refused;
        for (std::uint32_t f = 0; f < table_.features(); ++f) {
            const std::uint32_t count = table_.bins(f).count;
            const auto offer = [&](const GoesRight& r) { best = std::max(best, gain(rows, f, r)); };
            for (const bool missing_right : {false, true}) {
                if (!table_.bins(f).category) {
                    for (std::uint32_t cut = 0; cut < count; ++cut)
                        offer([&](std::uint32_t code) { return code == count ? missing_right : code > cut; });
                    continue;
                }
                const bool one_by_one = present(rows, f) <= c_.options.max_onehot;
                for (std::uint32_t set = 0; set < (1U << count); ++set) {
                    if (one_by_one && std::popcount(set) > 1) continue;
                    offer([&](std::uint32_t code) {
                        return code == count ? missing_right : ((set >> code) & 1U) != 0;
                    });
                }
            }
        }
        return best;
    }

  private:
    void add(Sums& s, std::size_t row) const {
        s.g += random_.gradient[row];
        s.h += random_.hessian[row];
        ++s.rows;
    }
    std::size_t present(const std::vector<std::size_t>& rows, std::uint32_t feature) const {
        std::map<std::uint32_t, int> seen;
        for (const auto row : rows) seen[code_at(table_.column(feature), row)] = 1;
        return seen.size() - seen.count(table_.bins(feature).count);
    }
    const Case& c_;
    const BoostingTable& table_;
    const test::RandomGradients& random_;
};

GrownBoostedTree grow(const Case& c, const BoostingTable& table, const test::RandomGradients& random,
                      BoostingWorkspace& workspace, const InteractionGroups& groups = {}) {
    const BoostingPlan plan{table, c.options, c.monotone, Interactions(groups, table.features()), 7};
    LoneExchange alone;
    return grow_boosted_tree(plan, random.view(), 3, alone, workspace);
}

std::vector<std::vector<std::size_t>> rows_of_nodes(const GrownBoostedTree& grown, std::size_t rows) {
    std::vector<std::vector<std::size_t>> of(grown.tree.nodes.size());
    for (std::size_t row = 0; row < rows; ++row) {
        NodeId at{0};
        of[0].push_back(row);
        while (!grown.tree.node(at).is_leaf()) {
            const CodeQuestion& q = grown.questions[index(at)];
            at = q.right(code_at(q.column, row)) ? grown.tree.node(at).right : grown.tree.node(at).left;
            of[index(at)].push_back(row);
        }
    }
    return of;
}

/// All but the gain itself: sums, values, and that leaves that could be split were not worth it.
void check_tree(const Case& c, const BoostingTable& table, const test::RandomGradients& random) {
    BoostingWorkspace workspace;
    const GrownBoostedTree grown = grow(c, table, random, workspace);
    const auto rows = rows_of_nodes(grown, c.shape.rows);
    const BruteForce brute(c, table, random);
    std::vector<std::uint32_t> depth(rows.size(), 0);
    for (std::size_t n = 0; n < rows.size(); ++n) {
        SCOPED_TRACE(testing::Message() << "node " << n);
        const model::Node& node = grown.tree.nodes[n];
        ASSERT_EQ(node.rows, rows[n].size());
        const Sums s = brute.sums(rows[n]);
        ASSERT_NEAR(node.weight, s.h, 1e-9);
        const bool bounded = !c.monotone.empty();
        if (!bounded || n == 0) {
            ASSERT_NEAR(node.value[0], c.options.learning_rate * value(s, c.options), 1e-9);
        }
        const bool may_grow = depth[n] < c.options.max_depth;
        if (bounded && n != 0) continue;  // bounds of children need the whole path: see MonotoneTreesRiseOrFall
        const double best = may_grow ? brute.best_gain(rows[n]) : k_refused;
        if (node.is_leaf()) {
            ASSERT_LE(best, c.options.least_gain() + 1e-9);
            continue;
        }
        depth[index(node.left)] = depth[index(node.right)] = depth[n] + 1;
        ASSERT_NEAR(node.gain, best, 1e-9 * (1 + best));
        const CodeQuestion& q = grown.questions[n];
        ASSERT_NEAR(brute.gain(rows[n], index(node.question.feature), [&](std::uint32_t k) { return q.right(k); }),
                    best, 1e-9 * (1 + best));
    }
    std::size_t in_leaves = 0;
    for (const LeafRows& part : grown.leaf_rows) {
        for (const RowEntry e : part.rows) {
            ASSERT_EQ(leaf_by_codes(grown, row_of(e)), part.leaf);
            ++in_leaves;
        }
    }
    ASSERT_EQ(in_leaves, c.shape.rows);
}

std::vector<Case> cases(std::uint64_t seed) {
    Case base;
    base.shape.seed = seed;
    base.shape.rows = 20 + seed % 60;
    base.shape.bins = {6, 3, 11};
    base.options.max_depth = 3;
    base.options.min_child_weight = 0;
    std::vector<Case> all;
    const auto add = [&](const char* name, auto change) {
        Case c = base;
        c.name = name;
        change(c);
        all.push_back(c);
    };
    add("plain", [](Case&) {});
    add("no missing, constant hessian", [](Case& c) {
        c.constant_hessian = true;
        c.shape.missing_share = 0;
    });
    add("limits", [](Case& c) {
        c.options.min_child_weight = 0.9;
        c.options.min_rows_leaf = 4;
        c.options.gamma = 0.05;
    });
    add("alpha, step, the other scale of gamma", [](Case& c) {
        c.options.reg_alpha = 0.6;
        c.options.max_delta_step = 0.3;
        c.options.min_split_loss = 0.02;
    });
    add("one category against the others", [](Case& c) {
        c.shape.bins = {6, 4, 4};
        c.shape.categorical = 2;
    });
    // The order is optimal without lambda, a least weight and rows without a value.
    add("subsets of categories", [](Case& c) {
        c.shape.bins = {5, 7};
        c.shape.categorical = 1;
        c.shape.missing_share = 0;
        c.options.reg_lambda = c.options.category_smoothing = c.options.min_child_weight = 0;
        c.options.max_onehot = 1;
    });
    add("monotone", [](Case& c) { c.monotone = {1, -1, 0}; });
    return all;
}

TEST(BoostedTree, EqualsBruteForceOnRandomTables) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        for (const Case& c : cases(seed)) {
            SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
            const BoostingTable table(random_binned(c.shape));
            const auto random = test::random_gradients(seed, c.shape.rows, c.constant_hessian);
            check_tree(c, table, random);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

/// Rows of feature 0 at 1 are sure: their gradients are below half a packed unit, which the others set. Feature 1 tells their
/// signs apart, and must be asked about there.
TEST(BoostedTree, NodesOfSureRowsAreDividedOnThePackedGrid) {
    constexpr std::size_t k_rows = 80000;
    binning::BinnedTable binned;
    binned.rows = k_rows;
    std::vector<std::vector<std::uint8_t>> codes(2, std::vector<std::uint8_t>(k_rows));
    test::RandomGradients random;
    for (std::size_t row = 0; row < k_rows; ++row) {
        const bool sure = row % 2 == 1;
        codes[0][row] = sure ? 1 : 0;
        codes[1][row] = row % 4 < 2 ? 0 : 1;
        random.gradient.push_back(sure ? (codes[1][row] == 0 ? -8e-6 : 8e-6) : (row % 3 == 0 ? -0.9 : 0.7));
        random.hessian.push_back(sure ? 0.001 : 0.25);
    }
    for (auto& column : codes) {
        binned.codes.emplace_back(std::move(column));
        binned.bins.push_back({false, 2, {0, 1}, {0, 1}});
    }
    const BoostingTable table(std::move(binned));
    Case c;
    c.options.max_depth = 2;
    c.options.min_child_weight = 0;
    c.options.reg_lambda = 0;
    BoostingWorkspace workspace;
    const auto grown = grow(c, table, random, workspace);
    ASSERT_TRUE(workspace.rows.grid.packed);
    ASSERT_EQ(index(grown.tree.nodes[0].question.feature), 0U);
    const model::Node& sure = grown.tree.node(grown.tree.nodes[0].right);
    ASSERT_FALSE(sure.is_leaf());
    EXPECT_EQ(index(sure.question.feature), 1U);
    EXPECT_NEAR(sure.gain, 0.16 * 0.16 / 20, 1e-4);
    EXPECT_NEAR(grown.tree.node(sure.left).value[0], 0.1 * 0.008, 1e-9);
    EXPECT_NEAR(grown.tree.node(sure.right).value[0], -0.1 * 0.008, 1e-9);
}

TEST(BoostedTree, MonotoneTreesRiseOrFall) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        Case c = cases(seed)[0];
        c.shape.rows = 200;
        c.shape.missing_share = 0;
        c.options.max_depth = 5;
        c.monotone = {1, -1, 0};
        const BoostingTable table(random_binned(c.shape));
        BoostingWorkspace workspace;
        const auto grown = grow(c, table, test::random_gradients(seed, c.shape.rows), workspace);
        const auto answer = [&](std::array<std::uint32_t, 3> codes) {
            NodeId at{0};
            while (!grown.tree.node(at).is_leaf()) {
                const auto& node = grown.tree.node(at);
                at = grown.questions[index(at)].right(codes[index(node.question.feature)]) ? node.right : node.left;
            }
            return grown.tree.node(at).value[0];
        };
        for (std::uint32_t a = 0; a < 6; ++a) {
            for (std::uint32_t b = 0; b < 3; ++b) {
                for (std::uint32_t e = 0; e < 11; ++e) {
                    if (a > 0) {
                        ASSERT_GE(answer({a, b, e}), answer({a - 1, b, e}));
                    }
                    if (b > 0) {
                        ASSERT_LE(answer({a, b, e}), answer({a, b - 1, e}));
                    }
                }
            }
        }
    }
}

TEST(BoostedTree, PathsKeepToInteractionGroups) {
    Case c = cases(3)[0];
    c.shape.rows = 400;
    c.shape.bins = {9, 9, 9, 9, 9};
    c.options.max_depth = 5;
    const BoostingTable table(random_binned(c.shape));
    BoostingWorkspace workspace;
    const auto grown = grow(c, table, test::random_gradients(9, c.shape.rows), workspace, {{0, 1}, {1, 2, 3}});
    std::function<void(NodeId, std::vector<bool>)> walk = [&](NodeId at, std::vector<bool> used) {
        const auto& node = grown.tree.node(at);
        if (node.is_leaf()) return;
        used[index(node.question.feature)] = true;
        EXPECT_FALSE(used[0] && (used[2] || used[3] || used[4]));
        EXPECT_FALSE(used[4] && (used[1] || used[2] || used[3]));
        walk(node.left, used);
        walk(node.right, used);
    };
    EXPECT_GT(grown.tree.nodes.size(), 20U);
    walk(NodeId{0}, std::vector<bool>(5, false));
}

/// Opens the leaf of highest gain by trying all questions, one leaf at a time.
std::vector<double> gains_best_first(const Case& c, const BoostingTable& table, const test::RandomGradients& random,
                                     const GrownBoostedTree& full) {
    const auto rows = rows_of_nodes(full, c.shape.rows);
    const BruteForce brute(c, table, random);
    std::multimap<double, std::size_t, std::greater<>> open;
    const auto offer = [&](NodeId id) {
        const auto& node = full.tree.node(id);
        if (!node.is_leaf()) open.emplace(brute.best_gain(rows[index(id)]), index(id));
    };
    offer(NodeId{0});
    std::vector<double> gains;
    while (!open.empty() && gains.size() + 1 < c.options.max_leaves) {
        const auto [gain, id] = *open.begin();
        open.erase(open.begin());
        gains.push_back(gain);
        offer(full.tree.nodes[id].left);
        offer(full.tree.nodes[id].right);
    }
    std::sort(gains.begin(), gains.end());
    return gains;
}

TEST(BoostedTree, LossguideOpensTheBestLeavesFirst) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(seed);
        Case c = cases(seed)[0];
        c.shape.rows = 150;
        c.options.max_depth = 6;
        const BoostingTable table(random_binned(c.shape));
        const auto random = test::random_gradients(seed, c.shape.rows);
        BoostingWorkspace workspace;
        const auto full = grow(c, table, random, workspace);
        c.options.growth = BoostingGrowth::lossguide;
        c.options.max_leaves = 7;
        BoostingWorkspace other;
        const auto grown = grow(c, table, random, other);
        EXPECT_EQ(grown.tree.leaf_count(), 7U);
        std::vector<double> gains;
        for (const auto& node : grown.tree.nodes) {
            if (!node.is_leaf()) gains.push_back(node.gain);
        }
        std::sort(gains.begin(), gains.end());
        const auto expected = gains_best_first(c, table, random, full);
        ASSERT_EQ(gains.size(), expected.size());
        for (std::size_t i = 0; i < gains.size(); ++i) EXPECT_NEAR(gains[i], expected[i], 1e-9);
    }
}

TEST(BoostedTree, SymmetricTreesAskTheBestCommonQuestion) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(seed);
        Case c = cases(seed)[0];
        c.shape.rows = 90;
        c.options.growth = BoostingGrowth::symmetric;
        const BoostingTable table(random_binned(c.shape));
        const auto random = test::random_gradients(seed, c.shape.rows);
        BoostingWorkspace workspace;
        const auto grown = grow(c, table, random, workspace);
        const auto rows = rows_of_nodes(grown, c.shape.rows);
        const BruteForce brute(c, table, random);
        std::vector<NodeId> level{NodeId{0}};
        for (int depth = 0; depth < 3; ++depth) {
            const auto sum_of_gains = [&](std::uint32_t f, const GoesRight& right) {
                double sum = 0;
                for (const NodeId id : level) {
                    const double gain = brute.gain(rows[index(id)], f, right);
                    if (gain != k_refused) sum += gain;  // below zero where lambda outweighs it
                }
                return sum;
            };
            double best = 0;
            for (std::uint32_t f = 0; f < table.features(); ++f) {
                const std::uint32_t count = table.bins(f).count;
                for (std::uint32_t cut = 0; cut < 2 * count; ++cut) {
                    const double sum =
                        sum_of_gains(f, [&](std::uint32_t k) { return k == count ? cut % 2 == 0 : k > cut / 2; });
                    best = std::max(best, sum);
                }
            }
            double asked = 0;
            std::vector<NodeId> next;
            for (const NodeId id : level) {
                const auto& node = grown.tree.node(id);
                ASSERT_FALSE(node.is_leaf());
                ASSERT_EQ(node.question.feature, grown.tree.node(level[0]).question.feature);
                ASSERT_EQ(node.question.threshold, grown.tree.node(level[0]).question.threshold);
                asked += node.gain;
                next.insert(next.end(), {node.left, node.right});
            }
            EXPECT_NEAR(asked, best, 1e-9);
            level = next;
        }
    }
}

/// Twelve rows at x = 0, 1, 2 in turn, gradients -1, 0, 2, hessians 1: the numbers of the comments are by hand.
TEST(BoostedTree, IsAsByHand) {
    test::BinnedShape shape;
    shape.rows = 12;
    shape.bins = {3};
    binning::BinnedTable binned = random_binned(shape);
    test::RandomGradients random;
    std::vector<std::uint8_t> codes;
    for (std::size_t row = 0; row < 12; ++row) {
        codes.push_back(static_cast<std::uint8_t>(row % 3));
        random.gradient.push_back(row % 3 == 0 ? -1 : row % 3 == 1 ? 0 : 2);
        random.hessian.push_back(1);
    }
    binned.codes[0] = codes;
    Case c;
    c.options.max_depth = 1;
    c.options.learning_rate = 0.5;
    c.shape = shape;
    const BoostingTable table(binned);
    BoostingWorkspace workspace;
    const auto grown = grow(c, table, random, workspace);
    // G = -4, 0, 8 and H = 4 each. x <= 0: 16/5 + 64/9 = 10.31; x <= 1: 16/9 + 64/5 = 14.58; the node: 16/13.
    ASSERT_EQ(grown.tree.nodes.size(), 3U);
    EXPECT_NEAR(grown.tree.nodes[0].gain, (16.0 / 9 + 64.0 / 5 - 16.0 / 13) / 2, 1e-12);
    EXPECT_EQ(grown.tree.nodes[0].question.threshold, 17);  // between 14, the end of bin 1, and 20
    EXPECT_NEAR(grown.tree.nodes[1].value[0], 0.5 * 4 / 9, 1e-12);
    EXPECT_NEAR(grown.tree.nodes[2].value[0], 0.5 * -8 / 5, 1e-12);
    EXPECT_EQ(grown.tree.nodes[0].weight, 12);
}

TEST(BoostedTree, PackedAndWideGridsAgreeOnLargeTables) {
    test::BinnedShape shape;
    shape.rows = 70000;
    shape.bins = {40, 200, 7, 255};
    const BoostingTable table(random_binned(shape));
    auto random = test::random_gradients(1, shape.rows);
    for (std::size_t row = 0; row < shape.rows; ++row) {  // something to find, far above the rounding
        random.gradient[row] +=
            0.05 * (code_at(table.column(1), row) % 200) / 200.0 - (code_at(table.column(0), row) > 20 ? 0.2 : 0);
    }
    Case c;
    c.shape = shape;
    c.options.max_depth = 4;
    BoostingWorkspace packed_space;
    const auto packed = grow(c, table, random, packed_space);
    EXPECT_TRUE(packed_space.rows.grid.packed);
    // 60,000 rows take the wide grid; their tree must be explained by their own sums.
    random.marks.marks.assign(shape.rows, RowMarks::k_in);
    for (std::size_t row = 60000; row < shape.rows; ++row) random.marks.marks[row] = RowMarks::k_out;
    BoostingWorkspace wide_space;
    const auto wide = grow(c, table, random, wide_space);
    EXPECT_FALSE(wide_space.rows.grid.packed);
    EXPECT_EQ(packed.tree.nodes[0].question.feature, wide.tree.nodes[0].question.feature);
    const BruteForce brute(c, table, random);
    const auto rows = rows_of_nodes(packed, shape.rows);
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const Sums s = brute.sums(rows[n]);
        EXPECT_NEAR(packed.tree.nodes[n].value[0], c.options.learning_rate * value(s, c.options), 1e-9);
        if (!packed.tree.nodes[n].is_leaf() && n < 1) {
            EXPECT_NEAR(packed.tree.nodes[n].gain, brute.best_gain(rows[n]), 1e-3 * brute.best_gain(rows[n]));
        }
    }
}

TEST(BoostedTree, ThreadsDoNotMatter) {
    test::BinnedShape shape;
    shape.rows = 90000;
    shape.bins = {40, 200, 7, 255, 300, 12};
    shape.categorical = 1;
    const BoostingTable table(random_binned(shape));
    const auto random = test::random_gradients(2, shape.rows);
    for (const auto growth : {BoostingGrowth::depthwise, BoostingGrowth::lossguide, BoostingGrowth::symmetric}) {
        Case c;
        c.shape = shape;
        c.options.growth = growth;
        c.options.max_depth = 6;
        c.options.max_leaves = growth == BoostingGrowth::lossguide ? 31 : 0;
        c.options.colsample_bytree = 0.9;
        c.options.colsample_bynode = 0.7;
        BoostingWorkspace workspace;
        set_thread_count(1);
        const auto one = grow(c, table, random, workspace);
        set_thread_count(2);
        const auto two = grow(c, table, random, workspace);
        EXPECT_EQ(one.tree, two.tree);
        EXPECT_GT(one.tree.nodes.size(), 30U);
    }
    set_thread_count(1);
}

}  // namespace
}  // namespace regrove::train
