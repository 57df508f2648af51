// Forests that exercise every kind of split, for tests of their bytes.
#pragma once

#include <string>
#include <vector>

#include "regrove/train/cart_options.hpp"
#include "regrove/train/forest_options.hpp"

#include "support/random_table.hpp"

namespace regrove::test {

struct ForestCase {
    std::string name;
    RandomTableShape shape;
    train::CartOptions cart;
    train::ForestOptions forest;
};

/// Every combination of exact or binned, best or random thresholds, with some table each.
inline std::vector<ForestCase> forest_cases(std::uint64_t seed, std::uint32_t rows) {
    std::vector<ForestCase> cases;
    const auto add = [&](const char* name, std::uint32_t classes) -> ForestCase& {
        ForestCase c;
        c.name = name;
        c.shape.seed = seed;
        c.shape.rows = rows;
        c.shape.classes = classes;
        c.cart.criterion = classes == 0 ? train::Criterion::squared_error : train::Criterion::gini;
        c.forest.trees = 5;
        cases.push_back(c);
        return cases.back();
    };
    for (const auto points : {train::SplitPoints::exact, train::SplitPoints::histogram}) {
        for (const bool extra_random : {false, true}) {
            const auto set = [&](ForestCase& c) {
                c.forest.split_points = points;
                c.forest.extra_random = extra_random;
                c.name += points == train::SplitPoints::exact ? ", exact" : ", binned";
                c.name += extra_random ? ", random thresholds" : "";
            };
            set(add("two classes", 2));
            {
                ForestCase& c = add("three classes, continuous, 7 bins, 9 leaves", 3);
                c.shape.continuous = true;
                c.forest.max_bin = 7;
                c.cart.max_leaves = 9;
                c.forest.combination = model::Combination::majority;
                set(c);
            }
            {
                ForestCase& c = add("entropy, real weights, missing apart", 3);
                c.shape.weighted = c.shape.real_weights = true;
                c.cart.criterion = train::Criterion::entropy;
                c.cart.missing_split = train::MissingSplit::separate;
                c.forest.max_features = "2";
                set(c);
            }
            {
                ForestCase& c = add("regression, subsample, leaves of 3 rows", 0);
                c.shape.continuous = true;
                c.forest.bootstrap = false;
                c.forest.subsample = 0.6;
                c.forest.max_features = "p/2";
                c.forest.max_bin = 16;
                c.cart.min_rows_leaf = 3;
                set(c);
            }
            {
                ForestCase& c = add("regression, weights, depth 4", 0);
                c.shape.weighted = true;
                c.cart.max_depth = 4;
                set(c);
            }
        }
    }
    return cases;
}

}  // namespace regrove::test
