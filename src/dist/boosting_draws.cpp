// One random number a row or tree; the threshold of large gradients by counting digits over all ranks.
#include "regrove/dist/boosting_draws.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/objective/quantile_selection.hpp"

namespace regrove::dist {

namespace {

constexpr std::uint64_t k_skip_stream = std::uint64_t{13} << 56U;
constexpr std::uint64_t k_drop_stream = (std::uint64_t{13} << 56U) | (std::uint64_t{1} << 55U);
constexpr std::uint64_t k_row_stream = std::uint64_t{14} << 56U;
constexpr std::size_t k_rows_a_block = 16384;

using train::RowMarks;

/// A row's sum of absolute gradients over its scores.
std::vector<double> gradient_sizes(const DrawnFrom& from, std::span<const double> gradients) {
    std::vector<double> sizes(from.rows, 0);
    for (std::size_t begin = 0; begin < gradients.size(); begin += from.rows) {
        for (std::size_t row = 0; row < from.rows; ++row) sizes[row] += std::fabs(gradients[begin + row]);
    }
    return sizes;
}

double top_threshold(comm::Communicator& comm, double top_rate, const DrawnFrom& from,
                     const std::vector<double>& sizes) {
    std::vector<std::uint32_t> sets(from.rows, 0);
    for (std::size_t row = 0; row < from.left_out.size(); ++row) {
        if (from.left_out[row] != 0) sets[row] = objective::QuantileSelection::k_no_set;
    }
    objective::QuantileSelection selection(sizes, {}, sets, 1, 1 - top_rate);
    while (!selection.done()) {
        auto counts = selection.count();
        comm.sum(std::span<std::int64_t>(counts));
        selection.advance(counts);
    }
    return selection.quantiles()[0];
}

bool is_left_out(const DrawnFrom& from, std::size_t row) { return !from.left_out.empty() && from.left_out[row] != 0; }

}  // namespace

RowMarks draw_rows(comm::Communicator& comm, const train::BoostingOptions& options, const DrawnFrom& from,
                   std::span<const double> gradients, std::uint64_t seed, std::uint64_t round) {
    RowMarks marks;
    const bool by_gradient = options.sampling == train::BoostingSampling::gradient;
    const bool none_left_out = comm.max(std::uint64_t{from.left_out.empty() ? 0U : 1U}) == 0;
    if (!by_gradient && options.subsample >= 1 && none_left_out) return marks;
    marks.marks.assign(from.rows, RowMarks::k_in);
    const CounterRandom random(seed, k_row_stream | round);
    std::vector<double> sizes;
    double threshold = 0;
    double share = options.subsample;
    if (by_gradient) {
        sizes = gradient_sizes(from, gradients);
        threshold = top_threshold(comm, options.top_rate, from, sizes);
        share = options.top_rate < 1 ? options.other_rate / (1 - options.top_rate) : 1;
        marks.amplification = 1 / share;
    }
    parallel_for_blocks(from.rows, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            if (is_left_out(from, row)) {
                marks.marks[row] = RowMarks::k_out;
            } else if (share < 1 && !(by_gradient && sizes[row] >= threshold)) {
                const bool drawn = random.uniform(from.first_row + row) < share;
                marks.marks[row] = drawn ? (by_gradient ? RowMarks::k_amplified : RowMarks::k_in) : RowMarks::k_out;
            }
        }
    });
    return marks;
}

std::vector<std::uint64_t> draw_dropped(const train::BoostingOptions& options, std::uint64_t seed,
                                        std::uint64_t round) {
    std::vector<std::uint64_t> dropped;
    if (!options.dart || CounterRandom(seed, k_skip_stream).uniform(round) < options.skip_drop) return dropped;
    const CounterRandom random(seed, k_drop_stream | round);
    for (std::uint64_t earlier = 0; earlier < round; ++earlier) {
        if (random.uniform(earlier) < options.drop_rate) dropped.push_back(earlier);
    }
    if (options.max_drop != 0 && dropped.size() > options.max_drop) {
        std::stable_sort(dropped.begin(), dropped.end(),
                         [&](std::uint64_t a, std::uint64_t b) { return random.uniform(a) < random.uniform(b); });
        dropped.resize(options.max_drop);
        std::sort(dropped.begin(), dropped.end());
    }
    return dropped;
}

}  // namespace regrove::dist
