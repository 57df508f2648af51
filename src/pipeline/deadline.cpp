// On the steady clock from the start on: a clock that is set does not end a job.
#include "regrove/pipeline/deadline.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {

namespace {

constexpr double k_limit_reserve_seconds = 5;
constexpr double k_slurm_reserve_seconds = 90;

}  // namespace

Deadline::Deadline(std::optional<double> limit_seconds, std::optional<double> slurm_seconds) {
    double left = std::numeric_limits<double>::infinity();
    if (limit_seconds) left = *limit_seconds - std::min(k_limit_reserve_seconds, *limit_seconds / 10);
    if (slurm_seconds) left = std::min(left, *slurm_seconds - std::min(k_slurm_reserve_seconds, *slurm_seconds / 4));
    constexpr double k_longest_seconds = 1e9;  // a duration that the clock can count
    if (left > k_longest_seconds) return;
    end_ = std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(left));
}

double Deadline::seconds_left() const {
    if (!end_) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(*end_ - std::chrono::steady_clock::now()).count();
}

std::optional<double> slurm_seconds_left() {
    const char* const text = std::getenv("SLURM_JOB_END_TIME");
    if (text == nullptr) return std::nullopt;
    const auto end = parse_int64(text);
    if (end.status != NumberStatus::ok) return std::nullopt;
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    const double left = static_cast<double>(end.value) - now.count();
    if (left <= 0) return std::nullopt;
    return left;
}

}  // namespace regrove::pipeline
