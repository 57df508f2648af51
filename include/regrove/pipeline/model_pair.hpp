// Two models brought to the same names, so that they can be compared: features by name or place, classes by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

struct ModelPair {
    model::Ensemble first;
    model::Ensemble second;
    std::vector<std::uint32_t> first_class_of_second;  ///< the first's class for each of the second's
};

/// A model whose file knew no names (Ensemble::features_by_position) takes the other's names, place by place, unless
/// these are the names that it has. Throws InputError naming the files when one model is a regression, when one asks
/// for a feature that the other does not know or knows by another kind, or when their classes differ.
ModelPair pair_models(model::Ensemble first, model::Ensemble second, const std::string& first_file,
                      const std::string& second_file);

}  // namespace regrove::pipeline
