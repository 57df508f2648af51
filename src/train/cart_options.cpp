#include "regrove/train/cart_options.hpp"

#include <limits>

namespace regrove::train {

void list_options(CartOptions& options, OptionTable& table) {
    constexpr std::uint64_t k_any = std::numeric_limits<std::int64_t>::max();
    table
        .add("objective", options.criterion,
             Choices<Criterion>{{"auto", Criterion::automatic},
                                {"gini", Criterion::gini},
                                {"entropy", Criterion::entropy},
                                {"squared_error", Criterion::squared_error}},
             "impurity that splits reduce; auto: gini for category labels, squared_error for decimal numbers")
        .alias("criterion");
    table.add("max_depth", options.max_depth, 0, 10000,
              "longest path from the root to a leaf, in questions; 0: no limit");
    table.add("max_leaves", options.max_leaves, 0, k_any, "most leaves, the best splits first; 0: no limit")
        .alias("num_leaves")
        .alias("max_leaf_nodes");
    table.add("min_rows_split", options.min_rows_split, 2, k_any, "a node with fewer rows becomes a leaf")
        .alias("min_samples_split");
    table.add("min_rows_leaf", options.min_rows_leaf, 1, k_any, "rows that each side of a split must hold")
        .alias("min_samples_leaf")
        .alias("min_data_in_leaf");
    table
        .add("min_gain", options.min_gain, 0, std::numeric_limits<double>::max(),
             "a split must gain more: impurity decrease per unit of the node's weight")
        .alias("min_split_gain");
    table
        .add("grow", options.growth_order,
             Choices<GrowthOrder>{{"best-first", GrowthOrder::best_first},
                                  {"depth-first", GrowthOrder::depth_first},
                                  {"lossguide", GrowthOrder::best_first},
                                  {"depthwise", GrowthOrder::best_first}},
             "order of growth: best-first (all open nodes a round) or depth-first (one node a round); the full tree "
             "is the same, --max-leaves needs best-first")
        .no_result();
    table.add("category_split", options.category_questions,
              Choices<CategoryQuestions>{{"subset", CategoryQuestions::subset},
                                         {"one-vs-rest", CategoryQuestions::one_vs_rest}},
              "questions about categories: the best subset, or one category against the rest");
    table.add("missing_split", options.missing_split,
              Choices<MissingSplit>{{"side", MissingSplit::side},
                                    {"separate", MissingSplit::separate},
                                    {"surrogate", MissingSplit::surrogate}},
              "rows without a value: to the side that gains more, a question of their own, or surrogate questions");
    table.add("max_surrogates", options.max_surrogates, 0, 1000, "surrogate questions kept a node");
    table.add("class_weight", options.class_weight,
              "'balanced', or class=weight pairs that multiply the rows' weights");
}

}  // namespace regrove::train
