// What a user may ask of a forest (Breiman 2001, "Random forests"; Geurts, Ernst and Wehenkel 2006 for random thresholds).
#pragma once

#include <cstdint>
#include <string>

#include "regrove/core/option_table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::train {

/// Where thresholds may lie.
enum class SplitPoints : std::uint8_t {
    histogram,  ///< between the bins of a table binned once
    exact,      ///< between any two neighbouring values
};

/// What is dealt to the ranks. The forest does not depend on it.
enum class Spread : std::uint8_t {
    automatic,  ///< trees while a copy of the table fits a rank, else rows
    trees,      ///< every rank has all rows and grows its share of the trees
    rows,       ///< every rank has its share of the rows and all ranks grow each tree
};

struct ForestOptions {
    std::uint32_t trees = 100;
    /// Features looked at in a node: "auto" (sqrt for classes, all for numbers), "sqrt", "log2", "p/2", "all", a number,
    /// or a share such as "0.3".
    std::string max_features = "auto";
    bool bootstrap = true;  ///< rows are drawn with replacement
    double subsample = 1;   ///< rows drawn for a tree, as a share of the table
    /// One random threshold a feature (a random subset of the categories) in place of the best.
    bool extra_random = false;
    SplitPoints split_points = SplitPoints::histogram;
    std::uint32_t max_bin = 255;  ///< bins of a numeric feature
    model::Combination combination = model::Combination::mean;
    bool out_of_bag = false;
    Spread spread = Spread::automatic;
};

void list_options(ForestOptions& options, OptionTable& table);

/// The number that `max_features` stands for; throws ConfigError naming the values allowed.
std::uint32_t features_a_node(const std::string& max_features, std::uint32_t features, bool regression);

}  // namespace regrove::train
