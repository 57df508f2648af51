// What a user may ask of gradient boosting (Friedman 2001; Chen and Guestrin 2016 for the regularised gain).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/objective/objective_options.hpp"

namespace regrove::train {

/// The order and shape in which a tree grows.
enum class BoostingGrowth : std::uint8_t {
    depthwise,  ///< level by level
    lossguide,  ///< the leaf of highest gain first
    symmetric,  ///< one question for all leaves of a level
};

/// Which thresholds of numeric features are looked at.
enum class BoostingSplitPoints : std::uint8_t {
    histogram,  ///< between bins
    exact,      ///< between any two values
};

/// Which rows a tree is grown on.
enum class BoostingSampling : std::uint8_t {
    uniform,   ///< each row with probability `subsample`
    gradient,  ///< rows of large gradient, and some of the others with more weight (Ke et al. 2017, GOSS)
};

/// Which category features are told apart by statistics of the target instead of subsets found node by node.
enum class TargetStatisticsFor : std::uint8_t {
    none,
    high,  ///< those of more than `target_statistics_above` categories
    all,
};

struct BoostingOptions {
    objective::ObjectiveOptions objective;
    std::string initial_score;  ///< column of scores that rows begin at, in place of a constant; empty: none
    std::uint32_t trees = 100;  ///< rounds: each grows a tree for every score of a row
    double learning_rate = 0.1;
    BoostingGrowth growth = BoostingGrowth::depthwise;
    std::uint32_t max_depth = 6;   ///< zero: no limit
    std::uint64_t max_leaves = 0;  ///< zero: no limit
    double min_child_weight = 1;   ///< least sum of hessians on each side of a split
    std::uint64_t min_rows_leaf = 1;
    double reg_lambda = 1;
    double reg_alpha = 0;
    /// A split must gain more than this, where gain = 1/2 [GL^2/(HL+lambda) + GR^2/(HR+lambda) - G^2/(H+lambda)].
    double gamma = 0;
    double min_split_loss = 0;  ///< the same threshold as XGBoost and LightGBM scale it: twice gamma
    /// Largest leaf value before the learning rate; zero: no limit, none: the objective's own.
    std::optional<double> max_delta_step;
    BoostingSplitPoints split_points = BoostingSplitPoints::histogram;
    std::uint32_t max_bin = 255;  ///< histograms only

    double subsample = 1;
    double colsample_bytree = 1;   ///< share of the features that a tree looks at
    double colsample_bylevel = 1;  ///< of those, the share that a level looks at
    double colsample_bynode = 1;   ///< of those, the share that a node looks at
    BoostingSampling sampling = BoostingSampling::uniform;
    double top_rate = 0.2;    ///< gradient sampling: share of the rows that stay for their large gradients
    double other_rate = 0.1;  ///< gradient sampling: share of the rows that stand for all others

    bool dart =
        false;  ///< trees are left out at random while the next ones are grown (Rashmi and Gilad-Bachrach 2015)
    double drop_rate = 0.1;       ///< probability that a tree is left out
    double skip_drop = 0.5;       ///< probability that a round leaves out none
    std::uint32_t max_drop = 50;  ///< trees left out at most; zero: no limit

    /// "NAME=+1" or "NAME=-1" for features that the answer may only rise or fall with.
    std::vector<std::string> monotone;
    /// Groups "NAME:NAME:..." of features that may stand on one path; features in no group stand alone.
    std::vector<std::string> interaction;
    std::uint32_t max_onehot = 4;               ///< categories up to which each is tried against all others
    std::uint32_t max_category_threshold = 32;  ///< categories on the smaller side of a subset question at most
    double category_smoothing = 1;  ///< added to the hessian of a category when categories are put in order

    TargetStatisticsFor target_statistics = TargetStatisticsFor::none;
    std::uint32_t target_statistics_above = 64;  ///< categories
    std::uint32_t target_statistics_orders = 4;  ///< orders of the rows, a round each in turn
    double target_statistics_prior = 1;          ///< rows that the mean of all rows counts for in a category's

    double scale_pos_weight = 1;            ///< weight of class 1 of two beside class 0
    std::vector<std::string> class_weight;  ///< "balanced", or class=weight pairs; empty: all classes weigh one
    std::string metric;                     ///< watched by early stopping; empty: the objective's own
    std::uint32_t early_stopping = 0;       ///< rounds without a better metric on validation rows; zero: none

    /// What a split's gain must exceed.
    double least_gain() const { return gamma + min_split_loss / 2; }
};

/// All options, those of the objective included.
void list_options(BoostingOptions& options, OptionTable& table);
/// Those whose names trees and forests do not use: without trees, max_depth, max_leaves, min_rows_leaf, subsample,
/// max_bin, split_points, class_weight, grow and objective.
void list_own_options(BoostingOptions& options, OptionTable& table);

/// Throws ConfigError on values that contradict each other.
void check_options(const BoostingOptions& options);

}  // namespace regrove::train
