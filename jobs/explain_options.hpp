// What `explain` can be asked: the options of the job, and those of its kinds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/dist/partial_dependence.hpp"

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

/// What a row is compared with: the ways of the training rows, or other rows.
enum class ShapMode : std::uint8_t { path, interventional };

struct ShapOptions {
    ShapMode mode = ShapMode::path;
    std::string background;
    std::uint64_t background_rows = 200;
};

struct DependenceOptions {
    std::vector<std::string> features;
    std::uint32_t points = 0;
    dist::Response response = dist::Response::answer;
};

struct ExplainOptions {
    std::string model;
    std::size_t kind = 0;  ///< a row of explain_kinds()
    std::string data;
    std::string target;
    PermutationOptions permutation;
    AttributionOptions attribution;
    ShapOptions shap;
    DependenceOptions dependence;
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
