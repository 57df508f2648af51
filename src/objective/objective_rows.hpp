// The rows of the table of objectives, each from the file of its name.
#pragma once

#include "regrove/objective/objective.hpp"

namespace regrove::objective {

ObjectiveRow squared_error();
ObjectiveRow absolute_error();
ObjectiveRow huber();
ObjectiveRow quantile();
ObjectiveRow poisson();
ObjectiveRow gamma();
ObjectiveRow tweedie();
ObjectiveRow logistic();
ObjectiveRow softmax();
ObjectiveRow lambdamart();

}  // namespace regrove::objective
