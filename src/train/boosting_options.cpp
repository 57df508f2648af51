// The options of boosting, row by row.
#include "regrove/train/boosting_options.hpp"

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::train {

namespace {

constexpr double k_any = 1e300;

void list_shared_options(BoostingOptions& options, OptionTable& table) {
    table.add("trees", options.trees, 1, 1000000, "rounds of boosting")
        .alias("n_estimators")
        .alias("num_iterations")
        .alias("num_boost_round");
    table.add("max_depth", options.max_depth, 0, 1000, "questions above a leaf; 0: no limit");
    table.add("max_leaves", options.max_leaves, 0, std::uint64_t{1} << 31U, "leaves of a tree; 0: no limit")
        .alias("num_leaves");
    table.add("min_rows_leaf", options.min_rows_leaf, 1, std::uint64_t{1} << 62U, "rows on each side of a split")
        .alias("min_data_in_leaf");
    table.add("subsample", options.subsample, 1e-9, 1, "share of the rows that a tree is grown on")
        .alias("bagging_fraction");
    table.add("max_bin", options.max_bin, 2, 65535,
              "bins of a numeric feature; fewer values than that are kept apart");
    table
        .add("split_points", options.split_points,
             Choices<BoostingSplitPoints>{{"histogram", BoostingSplitPoints::histogram},
                                          {"hist", BoostingSplitPoints::histogram},
                                          {"exact", BoostingSplitPoints::exact}},
             "thresholds: between bins (fast), or between any two values")
        .alias("tree_method");
    table.add("class_weight", options.class_weight, "balanced, or class=weight pairs");
    table
        .add("grow", options.growth,
             Choices<BoostingGrowth>{{"depthwise", BoostingGrowth::depthwise},
                                     {"lossguide", BoostingGrowth::lossguide},
                                     {"symmetric", BoostingGrowth::symmetric}},
             "level by level, the leaf of highest gain first, or one question a level")
        .alias("grow_policy");
}

OptionEntry max_delta_step_entry(BoostingOptions& options) {
    OptionEntry entry;
    entry.name = "max_delta_step";
    entry.help =
        "largest leaf value before the learning rate; 0: no limit; auto: the objective's own, 0.7 for poisson";
    entry.value_name = "auto|X";
    entry.bounds = ">= 0";
    entry.parse = [&options](std::string_view text) {
        const auto number = parse_double(text);
        const bool allowed = number.status == NumberStatus::ok && number.value >= 0 && number.value <= k_any;
        if (!allowed && text != "auto") {
            throw ConfigError("--max-delta-step: '" + std::string(text) +
                              "' is not allowed here; allowed: auto, numbers >= 0");
        }
        options.max_delta_step = allowed ? std::optional(number.value) : std::nullopt;
    };
    entry.text = [&options] { return options.max_delta_step ? to_text(*options.max_delta_step) : "auto"; };
    return entry;
}

void list_regularisation(BoostingOptions& options, OptionTable& table) {
    table.add("learning_rate", options.learning_rate, 1e-9, 10, "what leaf values are multiplied by").alias("eta");
    table.add("min_child_weight", options.min_child_weight, 0, k_any, "sum of hessians on each side of a split")
        .alias("min_sum_hessian_in_leaf");
    table.add("reg_lambda", options.reg_lambda, 0, k_any, "penalty of squared leaf values").alias("lambda_l2");
    table.add("reg_alpha", options.reg_alpha, 0, k_any, "penalty of absolute leaf values").alias("lambda_l1");
    table.add("gamma", options.gamma, 0, k_any,
              "what a split must gain, as 1/2 [GL^2/(HL+lambda) + GR^2/(HR+lambda) - G^2/(H+lambda)]");
    table
        .add("min_split_loss", options.min_split_loss, 0, k_any,
             "the same without the half, as XGBoost and LightGBM count: twice gamma")
        .alias("min_gain_to_split");
    table.add(max_delta_step_entry(options));
    table.add("scale_pos_weight", options.scale_pos_weight, 1e-9, 1e9, "weight of the second of two classes");
}

void list_sampling(BoostingOptions& options, OptionTable& table) {
    table.add("colsample_bytree", options.colsample_bytree, 1e-9, 1, "share of the features that a tree looks at")
        .alias("feature_fraction");
    table.add("colsample_bylevel", options.colsample_bylevel, 1e-9, 1, "share of them that a level looks at");
    table.add("colsample_bynode", options.colsample_bynode, 1e-9, 1, "share of those that a node looks at")
        .alias("feature_fraction_bynode");
    table.add(
        "sampling", options.sampling,
        Choices<BoostingSampling>{{"uniform", BoostingSampling::uniform}, {"gradient", BoostingSampling::gradient}},
        "rows of a tree: at random, or large gradients and some of the others (GOSS)");
    table.add("top_rate", options.top_rate, 0, 1, "gradient sampling: share of rows kept for large gradients");
    table.add("other_rate", options.other_rate, 0, 1, "gradient sampling: share of rows drawn from the others");
    table.add("dart", options.dart, "leave trees out at random while the next ones are grown");
    table.add("drop_rate", options.drop_rate, 0, 1, "DART: probability that a tree is left out").alias("rate_drop");
    table.add("skip_drop", options.skip_drop, 0, 1, "DART: probability that a round leaves out none");
    table.add("max_drop", options.max_drop, 0, 1000000, "DART: trees left out at most; 0: no limit");
}

void list_target_statistics(BoostingOptions& options, OptionTable& table) {
    table.add(
        "target_statistics", options.target_statistics,
        Choices<TargetStatisticsFor>{{"none", TargetStatisticsFor::none},
                                     {"high", TargetStatisticsFor::high},
                                     {"all", TargetStatisticsFor::all}},
        "category features asked by their categories' mean target, of rows before each in a random order: none, "
        "those of many categories, or all");
    table.add("target_statistics_above", options.target_statistics_above, 1, 1000000000,
              "--target-statistics high: features of more categories than this");
    table.add("target_statistics_orders", options.target_statistics_orders, 1, 64,
              "random orders of the rows, a round each in turn");
    table.add("target_statistics_prior", options.target_statistics_prior, 1e-6, 1e9,
              "rows that the mean of all rows counts for in that of a category");
}

void list_questions(BoostingOptions& options, OptionTable& table) {
    table.add("monotone", options.monotone, "features that the answer may only rise (NAME=+1) or fall with (NAME=-1)")
        .alias("monotone_constraints");
    table
        .add("interaction", options.interaction,
             "groups NAME:NAME:... of features that may stand on one path; a feature in no group stands alone")
        .alias("interaction_constraints");
    table.add("max_onehot", options.max_onehot, 1, 65535, "categories up to which each is tried against all others")
        .alias("max_cat_to_onehot");
    table
        .add("max_category_threshold", options.max_category_threshold, 1, 1000000,
             "categories on the smaller side of a subset question")
        .alias("max_cat_threshold");
    table
        .add("category_smoothing", options.category_smoothing, 0, k_any,
             "added to a category's hessian when categories are put in order")
        .alias("cat_smooth");
    table
        .add("initial_score", options.initial_score,
             "numeric column of raw scores that rows begin at, in place of the constant that fits best; no feature; "
             "validation rows, predict and evaluate need it, too")
        .alias("base_margin")
        .alias("init_score")
        .value_name("COLUMN");
    table.add("metric", options.metric, "metric that early stopping watches; empty: the objective's own")
        .alias("eval_metric");
    table
        .add("early_stopping", options.early_stopping, 0, 1000000,
             "stop after so many rounds without a better metric on validation rows; 0: never")
        .alias("early_stopping_rounds");
}

}  // namespace

void list_own_options(BoostingOptions& options, OptionTable& table) {
    list_regularisation(options, table);
    list_sampling(options, table);
    list_questions(options, table);
    list_target_statistics(options, table);
}

void list_options(BoostingOptions& options, OptionTable& table) {
    objective::list_options(options.objective, table);
    list_shared_options(options, table);
    list_own_options(options, table);
}

void check_options(const BoostingOptions& options) {
    if (!options.initial_score.empty() && options.objective.boost_from_average == objective::FirstScores::average) {
        throw ConfigError(
            "--initial-score takes the place of the constant of --boost-from-average yes: leave one of them out");
    }
    if (options.gamma > 0 && options.min_split_loss > 0) {
        throw ConfigError("--gamma and --min-split-loss are one threshold in two scales: give one of them");
    }
    if (options.max_depth == 0 && options.max_leaves == 0) {
        throw ConfigError("--max-depth 0 and --max-leaves 0: one of them must limit the trees of boosting");
    }
    if (options.growth == BoostingGrowth::symmetric && (options.max_depth == 0 || options.max_depth > 20)) {
        throw ConfigError("--grow symmetric needs --max-depth from 1 to 20");
    }
    if (options.growth == BoostingGrowth::symmetric && options.max_leaves != 0) {
        throw ConfigError("--grow symmetric divides whole levels: give --max-depth instead of --max-leaves");
    }
    if (options.growth == BoostingGrowth::symmetric && options.split_points == BoostingSplitPoints::exact) {
        throw ConfigError(
            "--grow symmetric asks one question of a whole level, which --split-points exact does not find: take "
            "--grow depthwise or lossguide, or --split-points histogram with --max-bin up to 65535");
    }
    if (options.target_statistics != TargetStatisticsFor::none &&
        options.split_points == BoostingSplitPoints::exact) {
        throw ConfigError("--target-statistics are put in bins: take --split-points histogram with them");
    }
    if (options.sampling == BoostingSampling::gradient) {
        if (options.subsample < 1) {
            throw ConfigError("--sampling gradient draws rows by --top-rate and --other-rate: leave --subsample out");
        }
        if (options.top_rate + options.other_rate > 1 || options.other_rate <= 0) {
            throw ConfigError("--top-rate + --other-rate must be at most 1, and --other-rate above 0");
        }
    }
}

}  // namespace regrove::train
