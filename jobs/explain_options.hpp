// What `explain` can be asked: the options of the job, and those of its kinds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/core/option_table.hpp"

namespace regrove::jobs {

struct PermutationOptions {
    std::string metric;
    std::uint32_t repeats = 5;
};

enum class ExplainPer : std::uint8_t { feature, condition };

struct AttributionOptions {
    ExplainPer per = ExplainPer::feature;
    std::string rows;  ///< file
    algebra::PolynomialOptions polynomial;
};

struct ExplainOptions {
    std::string model;
    std::size_t kind = 0;  ///< a row of explain_kinds()
    std::string data;
    std::string target;
    PermutationOptions permutation;
    AttributionOptions attribution;
    std::string output;
    std::string picture;
    std::string image_shape;
    std::vector<std::string> beside;
    std::uint32_t map_columns = 0;
    std::uint32_t top = 30;
    double scale = 2;
};

void list_options(ExplainOptions& options, OptionTable& table);

}  // namespace regrove::jobs
