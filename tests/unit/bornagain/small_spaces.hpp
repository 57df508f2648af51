// Random ensembles on spaces that are small enough to look at every cell.
#pragma once

#include <functional>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"

#include "support/random_ensemble.hpp"

namespace regrove::bornagain::test {

/// An ensemble with all that belongs to it, in one place.
struct SmallSpace {
    explicit SmallSpace(model::Ensemble made)
        : model(std::move(made)),
          space(cellspace::make_space(std::vector<const model::Ensemble*>{&model}, cellspace::UnseenValues::outside)),
          ensemble(model, space) {}
    model::Ensemble model;
    cellspace::Space space;
    cellspace::CompiledEnsemble ensemble;
};

/// Numeric and category features, missing values, surrogates; votes, exact and rounding shares; two or three classes.
inline SmallSpace small_space(std::uint64_t seed, unsigned depth = 3) {
    regrove::test::RandomEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 1 + seed % 4;
    shape.depth = depth;
    shape.classes = 2 + seed / 2 % 2;
    shape.combination = seed % 3 == 0 ? model::Combination::majority : model::Combination::mean;
    constexpr regrove::test::LeafStyle styles[]{regrove::test::LeafStyle::one_class,
                                                regrove::test::LeafStyle::quarters, regrove::test::LeafStyle::tenths};
    shape.leaves = styles[seed / 3 % 3];
    shape.surrogates = seed % 5 == 0;
    shape.tree_weights = seed % 7 < 3;
    return SmallSpace(regrove::test::random_ensemble(shape));
}

/// Calls visit(cell) for every cell of a box.
inline void for_each_cell(const cellspace::Box& box,
                          const std::function<void(const std::vector<std::uint32_t>&)>& visit) {
    std::vector<std::uint32_t> cell = box.low;
    for (;;) {
        visit(cell);
        std::size_t axis = 0;
        while (axis < cell.size() && cell[axis] == box.high[axis]) {
            cell[axis] = box.low[axis];
            ++axis;
        }
        if (axis == cell.size()) return;
        ++cell[axis];
    }
}

/// A random box of a space.
inline cellspace::Box random_box(const cellspace::Space& space, CounterRandom& random, std::uint64_t& next) {
    cellspace::Box box = cellspace::whole(space);
    for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
        const auto a = static_cast<std::uint32_t>(random.below(next++, space.axes[axis].cells()));
        const auto b = static_cast<std::uint32_t>(random.below(next++, space.axes[axis].cells()));
        box.low[axis] = std::min(a, b);
        box.high[axis] = std::max(a, b);
    }
    return box;
}

}  // namespace regrove::bornagain::test
