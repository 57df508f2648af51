// A random tree over the cells of a random forest's space says the same class everywhere, whoever asks: the tree itself,
// the model written from it as prediction walks it, and that model compiled onto the space again.
#include "regrove/bornagain/cell_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/core/random.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/route.hpp"

#include "support/random_table.hpp"

namespace regrove::bornagain {
namespace {

model::Ensemble random_forest(std::uint64_t seed) {
    test::RandomTableShape shape;
    shape.seed = seed;
    shape.rows = 60;
    shape.classes = 2 + seed % 2;
    shape.numeric = 2;
    shape.categorical = 2;
    shape.missing_share = seed % 3 == 0 ? 0 : 0.2;
    const auto alone = comm::make_self_communicator();
    train::CartOptions cart;
    cart.criterion = train::Criterion::gini;
    cart.max_depth = 3;
    if (seed % 4 == 3) cart.missing_split = train::MissingSplit::separate;
    train::ForestOptions options;
    options.trees = 4;
    return dist::grow_forest(*alone, test::random_table(shape), cart, options, seed).ensemble;
}

/// Splits boxes at random until they are small or luck ends it.
class RandomTree {
  public:
    RandomTree(const cellspace::Space& space, std::uint32_t classes, std::uint64_t seed)
        : classes_(classes), random_(seed, 0) {
        grow(cellspace::whole(space));
    }
    CellTree tree;

  private:
    std::uint64_t below(std::uint64_t bound) { return random_.below(next_++, bound); }

    void grow(const cellspace::Box& box) {
        const std::size_t place = tree.nodes.size();
        tree.nodes.emplace_back();
        const std::uint64_t axis = below(box.low.size());
        if (box.low[axis] == box.high[axis] || below(5) == 0) {
            tree.nodes[place].class_index = static_cast<std::uint32_t>(below(classes_));
            return;
        }
        tree.nodes[place].axis = static_cast<std::uint32_t>(axis);
        const auto cut = box.low[axis] + static_cast<std::uint32_t>(below(box.high[axis] - box.low[axis]));
        tree.nodes[place].cut = cut;
        cellspace::Box side = box;
        side.high[axis] = cut;
        grow(side);
        tree.nodes[place].right = static_cast<std::uint32_t>(tree.nodes.size());
        side = box;
        side.low[axis] = cut + 1;
        grow(side);
    }

    std::uint32_t classes_;
    CounterRandom random_;
    std::uint64_t next_ = 0;
};

/// Values of a cell as prediction sees them: both ends of an interval, every category.
std::vector<double> values_in(const cellspace::Axis& axis, std::uint32_t cell) {
    if (axis.has_missing && cell == axis.missing_cell()) return {std::nan("")};
    if (axis.has_unknown && cell == axis.unknown_cell()) return {infer::k_unknown_category};
    std::vector<double> values;
    if (axis.kind == model::FeatureKind::category) {
        for (std::size_t code = 0; code < axis.cell_of_category.size(); ++code)
            if (axis.cell_of_category[code] == cell) values.push_back(static_cast<double>(code));
        return values;
    }
    const bool narrow = axis.precision == model::NumericPrecision::float32;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto above = [&](double border) {
        return narrow ? static_cast<double>(std::nextafter(static_cast<float>(border), HUGE_VALF))
                      : std::nextafter(border, infinity);
    };
    values.push_back(cell == 0 ? -infinity : above(axis.written_thresholds[cell - 1]));
    values.push_back(cell + 1 == axis.value_cells ? infinity : axis.written_thresholds[cell]);
    return values;
}

class RandomCell {
  public:
    RandomCell(const cellspace::Space& space, std::uint64_t seed) : space_(space), random_(seed, 1) {}
    std::vector<std::uint32_t> next() {
        std::vector<std::uint32_t> cell;
        for (const auto& axis : space_.axes)
            cell.push_back(static_cast<std::uint32_t>(random_.below(next_++, axis.cells())));
        return cell;
    }
    std::uint64_t pick(std::uint64_t bound) { return random_.below(next_++, bound); }

  private:
    const cellspace::Space& space_;
    CounterRandom random_;
    std::uint64_t next_ = 0;
};

std::uint32_t predicted(const model::Ensemble& model, const std::vector<double>& values) {
    infer::PathFlags flags;
    const auto& value = model.trees[0].node(infer::leaf_of(model.trees[0], values, flags)).value;
    return static_cast<std::uint32_t>(std::ranges::max_element(value) - value.begin());
}

void check(std::uint64_t seed, cellspace::UnseenValues unseen) {
    const model::Ensemble forest = random_forest(seed);
    const std::vector<const model::Ensemble*> models{&forest};
    const cellspace::Space space = cellspace::make_space(models, unseen);
    const CellTree tree = RandomTree(space, forest.outputs(), seed).tree;
    const model::Ensemble model = to_model(tree, space, forest);
    const cellspace::CompiledEnsemble compiled(model, space);
    RandomCell cells(space, seed);
    for (int round = 0; round < 400; ++round) {
        const auto cell = cells.next();
        const std::uint32_t expected = tree.class_at(cell);
        ASSERT_EQ(compiled.class_at(cell), expected) << "seed " << seed;
        std::vector<double> values(forest.features.size(), 0);
        for (std::size_t a = 0; a < space.axes.size(); ++a) {
            const auto choices = values_in(space.axes[a], cell[a]);
            const auto feature = std::ranges::find(forest.features, space.axes[a].name, &model::Feature::name);
            values[static_cast<std::size_t>(feature - forest.features.begin())] = choices[cells.pick(choices.size())];
        }
        ASSERT_EQ(predicted(model, values), expected) << "seed " << seed << ", round " << round;
    }
    const std::string text = formats::write_model(model);
    EXPECT_EQ(formats::parse_model(text, "tree"), model);
    // The tree alone spans a space that asks no more than the forest's.
    const std::vector<const model::Ensemble*> both{&forest, &model};
    EXPECT_EQ(cellspace::make_space(both, unseen).hyperplanes(), space.hyperplanes()) << "seed " << seed;
}

TEST(CellTreeProperty, SaysTheSameAsItsModelInsideTheSpaceOfTraining) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) check(seed, cellspace::UnseenValues::outside);
}

TEST(CellTreeProperty, SaysTheSameAsItsModelWhereTrainingSawNothing) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) check(seed, cellspace::UnseenValues::inside);
}

}  // namespace
}  // namespace regrove::bornagain
