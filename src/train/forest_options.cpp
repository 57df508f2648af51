// The forest's options, and the number of features that a word stands for.
#include "regrove/train/forest_options.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::train {

void list_options(ForestOptions& options, OptionTable& table) {
    table.add("trees", options.trees, 1, 1000000, "trees of a forest")
        .alias("n_estimators")
        .alias("num_iterations")
        .alias("num_boost_round");
    table
        .add("max_features", options.max_features,
             "features looked at in a node of a forest: auto (sqrt for classes, all for numbers), sqrt, log2, p/2, "
             "all, "
             "a number, or a share such as 0.3")
        .value_name("N");
    table.add("bootstrap", options.bootstrap, "draw the rows of a tree with replacement");
    table.add("subsample", options.subsample, 1e-9, 1, "rows drawn for a tree, as a share of the table")
        .alias("max_samples")
        .alias("bagging_fraction");
    table.add("extra_random", options.extra_random,
              "one random threshold a feature (a random subset of its categories) in place of the best");
    table.add("split_points", options.split_points,
              Choices<SplitPoints>{{"histogram", SplitPoints::histogram}, {"exact", SplitPoints::exact}},
              "thresholds of a forest: between bins (fast), or between any two values");
    table.add("max_bin", options.max_bin, 2, 65535,
              "bins of a numeric feature; fewer values than that are kept apart");
    table.add("vote", options.combination,
              Choices<model::Combination>{{"probability", model::Combination::mean},
                                          {"majority", model::Combination::majority}},
              "a forest's class: the largest mean probability, or the most votes (ties: the smaller class)");
    table.add("oob", options.out_of_bag, "score each row by the trees that did not draw it").alias("oob_score");
    table
        .add("spread", options.spread,
             Choices<Spread>{{"auto", Spread::automatic}, {"trees", Spread::trees}, {"rows", Spread::rows}},
             "what is dealt to the ranks: trees (each rank has all rows), rows (all ranks grow each tree), or by "
             "size; the "
             "model is the same")
        .no_result();
}

namespace {

std::uint32_t clamp_to_features(double wanted, std::uint32_t features) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(wanted), 1.0, static_cast<double>(features)));
}

}  // namespace

std::uint32_t features_a_node(const std::string& max_features, std::uint32_t features, bool regression) {
    const bool automatic = max_features == "auto";
    if (max_features == "all" || (automatic && regression)) return features;
    if (max_features == "sqrt" || automatic)
        return clamp_to_features(std::sqrt(static_cast<double>(features)), features);
    // The integer part of log2, as others take it.
    if (max_features == "log2") return std::max(1U, static_cast<std::uint32_t>(std::bit_width(features)) - 1U);
    if (max_features == "p/2") return std::max(1U, features / 2);
    const auto whole = parse_int64(max_features);
    if (whole.status == NumberStatus::ok && whole.value >= 1 && whole.value <= features)
        return static_cast<std::uint32_t>(whole.value);
    const auto share = parse_double(max_features);
    if (whole.status != NumberStatus::ok && share.status == NumberStatus::ok && share.value > 0 && share.value <= 1)
        return clamp_to_features(share.value * features, features);
    throw ConfigError("--max-features '" + max_features + "': give auto, sqrt, log2, p/2, all, a number from 1 to " +
                      std::to_string(features) + " (the table's features), or a share above 0 and at most 1");
}

}  // namespace regrove::train
