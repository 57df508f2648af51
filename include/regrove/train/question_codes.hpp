// How the codes of a binned feature answer a question of a model that was grown on the same bins.
#pragma once

#include "regrove/binning/binned_table.hpp"
#include "regrove/model/split.hpp"
#include "regrove/train/boosting_partition.hpp"

namespace regrove::train {

/// Throws ConfigError when a threshold stands within a bin or before all of them: then the model was grown on other bins.
CodeQuestion codes_of_question(const model::Question& question, const binning::Bins& bins, const CodeColumn& column);

}  // namespace regrove::train
