// A cut between bins of statistics said as a set of categories, which is what the model asks, and read back from it.
//
// A category's full statistic is a constant, so "statistic above t" is membership in a set; every category without rows has the
// prior's statistic, so all of them go to one side. Categories seen are all those that training has, not only the node's.
#pragma once

#include <cstdint>

#include "regrove/model/split.hpp"
#include "regrove/train/boosting_partition.hpp"
#include "regrove/train/target_statistics.hpp"

namespace regrove::train {

/// Turns a threshold question about bin numbers of a statistic (bins up to the threshold go left) into the category question
/// that answers alike for every category; `codes` follows where rows without a value go.
void ask_for_categories(const StatisticFeature& feature, std::uint32_t channel, model::Question& question,
                        CodeQuestion& codes);

/// How codes of the channel answer a question that ask_for_categories made. Throws ConfigError when no cut answers so: then
/// the question is of other statistics.
CodeQuestion cut_of_categories(const StatisticFeature& feature, std::uint32_t channel,
                               const model::Question& question, const CodeColumn& column);

}  // namespace regrove::train
