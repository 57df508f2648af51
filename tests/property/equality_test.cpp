// Proofs of equality against asking both models at every cell, as prediction does, for ensembles of every kind.
#include "regrove/prove/equality.hpp"

#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/space_point.hpp"
#include "regrove/prove/constant_class.hpp"

#include "support/random_ensemble.hpp"

namespace regrove::prove {
namespace {

using cellspace::Axis;
using cellspace::Box;
using cellspace::CompiledEnsemble;
using cellspace::Space;
using cellspace::UnseenValues;
using Cell = std::vector<std::uint32_t>;

/// All cells of a box, axis 0 fastest.
std::vector<Cell> cells_of(const Box& box) {
    std::vector<Cell> cells;
    Cell cell = box.low;
    for (;;) {
        cells.push_back(cell);
        std::size_t axis = 0;
        while (axis < cell.size() && cell[axis] == box.high[axis]) cell[axis] = box.low[axis], ++axis;
        if (axis == cell.size()) return cells;
        ++cell[axis];
    }
}

struct Pair {
    model::Ensemble first;
    model::Ensemble second;
};

/// Asks for the proof in one and in two threads, and compares it with the plain answer.
Verdict check(const Pair& pair, UnseenValues unseen) {
    const std::vector<const model::Ensemble*> both{&pair.first, &pair.second};
    const Space space = cellspace::make_space(both, unseen);
    const CompiledEnsemble first(pair.first, space);
    const CompiledEnsemble second(pair.second, space);
    const Box box = cellspace::whole(space);
    bool equal = true;
    for (const Cell& cell : cells_of(box)) {
        const std::uint32_t one = pipeline::predicted_class(pair.first, space, cell);
        const std::uint32_t other = pipeline::predicted_class(pair.second, space, cell);
        EXPECT_EQ(first.class_at(cell), one);
        EXPECT_EQ(second.class_at(cell), other);
        equal = equal && one == other;
    }
    std::optional<Equality> before;
    for (const unsigned threads : {1U, 3U}) {
        set_thread_count(threads);
        const Equality answer = prove_equal({&first, &second, {box}}, {});
        EXPECT_EQ(answer.verdict, equal ? Verdict::yes : Verdict::no);
        if (answer.verdict == Verdict::no) {
            EXPECT_EQ(answer.first_class, pipeline::predicted_class(pair.first, space, answer.cell));
            EXPECT_EQ(answer.second_class, pipeline::predicted_class(pair.second, space, answer.cell));
            EXPECT_NE(answer.first_class, answer.second_class);
        }
        if (before) {
            EXPECT_EQ(answer.boxes, before->boxes);
            EXPECT_EQ(answer.cell, before->cell);
        }
        before = answer;
    }
    return equal ? Verdict::yes : Verdict::no;
}

test::RandomEnsembleShape shape_of(std::uint64_t seed) {
    test::RandomEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 1 + seed % 4;
    shape.classes = 2 + static_cast<std::uint32_t>(seed / 4 % 2);
    shape.combination = seed / 8 % 2 == 0 ? model::Combination::mean : model::Combination::majority;
    shape.leaves = static_cast<test::LeafStyle>(seed / 16 % 3);
    shape.tree_weights = seed % 5 == 0;
    shape.surrogates = seed % 3 != 0;
    return shape;
}

/// The classes of an ensemble as one tree, cut axis by axis until all cells of a box agree.
class TreeOfCells {
  public:
    TreeOfCells(const CompiledEnsemble& ensemble, const Space& space) : ensemble_(ensemble) {
        grow(cellspace::whole(space));
    }
    bornagain::CellTree tree;

  private:
    void grow(const Box& box) {
        const std::size_t place = tree.nodes.size();
        tree.nodes.emplace_back();
        const auto cells = cells_of(box);
        const std::uint32_t first = ensemble_.class_at(cells.front());
        const bool pure =
            std::ranges::all_of(cells, [&](const Cell& cell) { return ensemble_.class_at(cell) == first; });
        const ConstantClass proven = constant_class(ensemble_, box);
        EXPECT_EQ(proven.verdict, pure ? Verdict::yes : Verdict::no);
        EXPECT_EQ(proven.class_index, first);
        if (pure) {
            tree.nodes[place].class_index = first;
            return;
        }
        EXPECT_NE(ensemble_.class_at(proven.other), first);
        std::uint32_t axis = 0;
        while (box.low[axis] == box.high[axis]) ++axis;
        const std::uint32_t cut = (box.low[axis] + box.high[axis]) / 2;
        tree.nodes[place].axis = axis;
        tree.nodes[place].cut = cut;
        Box half = box;
        half.high[axis] = cut;
        grow(half);
        tree.nodes[place].right = static_cast<std::uint32_t>(tree.nodes.size());
        half = box;
        half.low[axis] = cut + 1;
        grow(half);
    }

    const CompiledEnsemble& ensemble_;
};

constexpr UnseenValues k_both[] = {UnseenValues::outside, UnseenValues::inside};

TEST(ProveEqual, AgainstOneChangedLeaf) {
    std::size_t equal = 0;
    for (std::uint64_t seed = 0; seed < 96; ++seed) {
        SCOPED_TRACE(seed);
        Pair pair{test::random_ensemble(shape_of(seed)), {}};
        pair.second = pair.first;
        auto& nodes = pair.second.trees[seed % pair.second.trees.size()].nodes;
        auto& value = nodes[nodes.size() - 1 - seed % (nodes.size() / 2 + 1)].value;
        std::ranges::rotate(value, value.begin() + 1);
        for (const UnseenValues unseen : k_both) equal += check(pair, unseen) == Verdict::yes ? 1U : 0U;
    }
    EXPECT_GT(equal, 20U);
    EXPECT_LT(equal, 170U);
}

/// Sums in another order may round to another class; votes may not.
TEST(ProveEqual, AgainstTheTreesInAnotherOrder) {
    std::size_t equal = 0;
    for (std::uint64_t seed = 0; seed < 96; ++seed) {
        SCOPED_TRACE(seed);
        auto shape = shape_of(seed);
        shape.trees = 3;
        shape.leaves = seed % 2 == 0 ? test::LeafStyle::tenths : test::LeafStyle::one_class;
        shape.tree_weights = false;
        Pair pair{test::random_ensemble(shape), {}};
        pair.second = pair.first;
        std::ranges::rotate(pair.second.trees, pair.second.trees.begin() + 1);
        const bool same = check(pair, UnseenValues::outside) == Verdict::yes;
        equal += same ? 1U : 0U;
        if (shape.leaves == test::LeafStyle::one_class || shape.combination == model::Combination::majority) {
            EXPECT_TRUE(same);
        }
    }
    EXPECT_LT(equal, 96U) << "no case in which rounding decides";
}

TEST(ProveEqual, AgainstAnotherEnsemble) {
    for (std::uint64_t seed = 0; seed < 48; ++seed) {
        SCOPED_TRACE(seed);
        auto other = shape_of(seed + 1);
        other.classes = shape_of(seed).classes;
        other.other_dictionaries = seed % 2 == 0;
        check({test::random_ensemble(shape_of(seed)), test::random_ensemble(other)}, k_both[seed % 2]);
    }
}

TEST(ProveEqual, AgainstOneTree) {
    for (std::uint64_t seed = 0; seed < 48; ++seed) {
        SCOPED_TRACE(seed);
        auto shape = shape_of(seed);
        shape.trees = 2 + seed % 3;
        Pair pair{test::random_ensemble(shape), {}};
        const std::vector<const model::Ensemble*> alone{&pair.first};
        const UnseenValues unseen = k_both[seed % 2];
        const Space space = cellspace::make_space(alone, unseen);
        const CompiledEnsemble compiled(pair.first, space);
        auto tree = TreeOfCells(compiled, space).tree;
        pair.second = bornagain::to_model(tree, space, pair.first);
        EXPECT_EQ(check(pair, unseen), Verdict::yes);
        std::swap(pair.first, pair.second);
        EXPECT_EQ(check(pair, unseen), Verdict::yes);
        std::swap(pair.first, pair.second);
        // Every leaf, or the last one only.
        for (std::size_t i = seed % 3 == 0 ? 0 : tree.nodes.size() - 1; i < tree.nodes.size(); ++i)
            tree.nodes[i].class_index = (tree.nodes[i].class_index + 1) % shape.classes;
        pair.second = bornagain::to_model(tree, space, pair.first);
        EXPECT_EQ(check(pair, unseen), Verdict::no);
    }
}

/// Within a part of the space, and at some cells of it only.
TEST(ProveEqual, WithinADomain) {
    std::size_t weaker = 0;
    for (std::uint64_t seed = 0; seed < 64; ++seed) {
        SCOPED_TRACE(seed);
        Pair pair{test::random_ensemble(shape_of(seed)), {}};
        pair.second = pair.first;
        std::ranges::rotate(pair.second.trees[0].nodes.back().value,
                            pair.second.trees[0].nodes.back().value.begin() + 1);
        const std::vector<const model::Ensemble*> both{&pair.first, &pair.second};
        const Space space = cellspace::make_space(both, UnseenValues::outside);
        const CompiledEnsemble first(pair.first, space);
        const CompiledEnsemble second(pair.second, space);
        Domain domain{cellspace::whole(space)};
        const Verdict everywhere = prove_equal({&first, &second, domain}, {}).verdict;
        const CounterRandom random(seed, 5);
        for (std::size_t a = 0; a < domain.box.low.size(); ++a) {
            const std::uint32_t cells = domain.box.high[a] + 1;
            domain.box.low[a] = static_cast<std::uint32_t>(random.below(2 * a, cells));
            domain.box.high[a] =
                domain.box.low[a] + static_cast<std::uint32_t>(random.below(2 * a + 1, cells - domain.box.low[a]));
        }
        bool equal = true;
        for (const Cell& cell : cells_of(domain.box)) {
            domain.cells.insert(domain.cells.end(), cell.begin(), cell.end());
            equal = equal && first.class_at(cell) == second.class_at(cell);
        }
        EXPECT_EQ(prove_equal({&first, &second, domain}, {}).verdict, equal ? Verdict::yes : Verdict::no);
        domain.only_cells = true;
        EXPECT_EQ(prove_equal({&first, &second, domain}, {}).verdict, equal ? Verdict::yes : Verdict::no);
        weaker += equal && everywhere == Verdict::no ? 1U : 0U;
    }
    EXPECT_GT(weaker, 5U);
}

/// With fewer boxes than it needs the answer is "undecided", in any number of threads, and never anything wrong.
TEST(ProveEqual, BudgetsOfBoxes) {
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        Pair pair{test::random_ensemble(shape_of(4 * seed + 3)), {}};
        pair.second = pair.first;
        std::ranges::reverse(pair.second.trees);
        const std::vector<const model::Ensemble*> both{&pair.first, &pair.second};
        const Space space = cellspace::make_space(both, UnseenValues::outside);
        const CompiledEnsemble first(pair.first, space);
        const CompiledEnsemble second(pair.second, space);
        const EqualityQuestion question{&first, &second, {cellspace::whole(space)}};
        const Equality free = prove_equal(question, {});
        for (const std::uint64_t most : {std::uint64_t{1}, free.boxes / 2, free.boxes - 1, free.boxes}) {
            if (most == 0) continue;
            for (const unsigned threads : {1U, 3U}) {
                set_thread_count(threads);
                ProofLimits limits;
                limits.max_boxes = most;
                const Equality limited = prove_equal(question, limits);
                EXPECT_EQ(limited.verdict, most < free.boxes ? Verdict::undecided : free.verdict) << most;
            }
        }
    }
}

/// The forests of two folds differ, and where they are said to differ prediction agrees that they do.
TEST(ProveEqual, ForestsOfNeighbouringFoldsDiffer) {
    for (const std::string set :
         {"Breast-Cancer-Wisconsin", "COMPAS-ProPublica", "FICO", "HTRU2", "Pima-Diabetes", "Seeds"}) {
        const std::string start = std::string(REGROVE_TEST_DATA) + "/ba_trees/forests/" + set + "/" + set + ".RF";
        for (int fold = 1; fold < 10; ++fold) {
            SCOPED_TRACE(start + std::to_string(fold));
            const auto first = formats::read_model(start + std::to_string(fold) + ".txt");
            const auto second = formats::read_model(start + std::to_string(fold + 1) + ".txt");
            const std::vector<const model::Ensemble*> both{&first, &second};
            const Space space = cellspace::make_space(both, UnseenValues::outside);
            const CompiledEnsemble one(first, space);
            const CompiledEnsemble other(second, space);
            const Equality answer = prove_equal({&one, &other, {cellspace::whole(space)}}, {});
            ASSERT_EQ(answer.verdict, Verdict::no);
            EXPECT_EQ(pipeline::predicted_class(first, space, answer.cell), answer.first_class);
            EXPECT_EQ(pipeline::predicted_class(second, space, answer.cell), answer.second_class);
            EXPECT_NE(answer.first_class, answer.second_class);
            // The same votes counted twice are equal, but no tree says so by itself.
            model::Ensemble twice = first;
            twice.tree_weights.assign(twice.trees.size(), 2);
            const CompiledEnsemble doubled(twice, space);
            const Equality same = prove_equal({&one, &doubled, {cellspace::whole(space)}}, {});
            EXPECT_EQ(same.verdict, Verdict::yes);
            EXPECT_LT(same.boxes, 50'000U);
        }
    }
}

}  // namespace
}  // namespace regrove::prove
