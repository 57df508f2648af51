// The cost-complexity path as a table, as lines for people and as a chart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "regrove/draw/line_chart.hpp"
#include "regrove/prune/alpha_choice.hpp"
#include "regrove/prune/path_levels.hpp"

namespace regrove::jobs {

struct PathReport {
    std::vector<prune::PathLevel> levels;
    bool regression = false;
    std::size_t trees = 1;
    // With cross-validation, one a level:
    std::vector<double> candidates;
    std::vector<prune::CandidateError> errors;
    std::optional<std::size_t> chosen;
    // With pruning:
    std::optional<double> alpha;
    std::optional<std::uint64_t> leaves;

    std::string error_name() const { return regression ? "mean squared error" : "error rate"; }
};

/// Columns alpha, leaves, impurity, cuts; cross-validated also candidate_alpha, cv_mean, cv_standard_error, chosen.
std::string path_csv(const PathReport& report);

/// At most about a dozen levels, evenly chosen, with the first and the last.
std::vector<std::pair<std::string, std::string>> path_lines(const PathReport& report);

/// The cross-validated errors with their standard errors, else the leaf impurity, over alpha.
draw::LineChart path_chart(const PathReport& report);

}  // namespace regrove::jobs
