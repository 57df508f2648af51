// The options of losses, row by row.
#include "regrove/objective/objective_options.hpp"

namespace regrove::objective {

void list_options(ObjectiveOptions& options, OptionTable& table) {
    table
        .add("objective", options.objective,
             "the loss: auto, squared-error, absolute-error, huber, quantile, poisson, gamma, tweedie, logistic, "
             "softmax or lambdamart")
        .value_name("NAME")
        .alias("loss");
    table.add("huber_delta", options.huber_delta, 1e-300, 1e300, "huber: residuals beyond it count linearly")
        .alias("huber_slope");
    table.add("quantile_alpha", options.quantile_alpha, 1e-6, 1 - 1e-6, "quantile: the one to learn");
    table
        .add("tweedie_power", options.tweedie_power, 1 + 1e-6, 2 - 1e-6,
             "tweedie: the variance is the mean to this power")
        .alias("tweedie_variance_power");
    table
        .add("truncation", options.truncation, 1, 1000000,
             "lambdamart: pairs count when one of the two is among the first so many")
        .alias("lambdarank_truncation_level");
    table.add("boost_from_average", options.boost_from_average,
              Choices<FirstScores>{{"auto", FirstScores::automatic},
                                   {"yes", FirstScores::average},
                                   {"no", FirstScores::zero},
                                   {"true", FirstScores::average},
                                   {"false", FirstScores::zero}},
              "begin with the best constant or with scores of zero; auto: zero for softmax");
}

}  // namespace regrove::objective
