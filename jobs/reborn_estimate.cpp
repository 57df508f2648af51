#include "reborn_estimate.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "regrove/bornagain/estimate.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::jobs {

namespace {

using bornagain::Estimate;
using bornagain::ExpectedCost;
using bornagain::SizeBounds;

constexpr double k_most_seconds = 25;

Estimate work(const pipeline::JobContext& context, const cellspace::CompiledEnsemble& ensemble,
              const cellspace::Box& box, std::uint32_t samples) {
    const auto start = std::chrono::steady_clock::now();
    bornagain::EstimateOptions options;
    options.samples = samples;
    options.seed = context.seed;
    options.seconds = std::min(k_most_seconds, context.checkpoint.seconds_left());
    options.elapsed = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    if (context.memory_limit_bytes != 0) options.memory_bytes = context.memory_limit_bytes / 2;
    return bornagain::estimate(ensemble, box, options);
}

nlohmann::ordered_json json_of(const SizeBounds& bounds) {
    nlohmann::ordered_json json;
    json["lower"] = bounds.lower;
    json["upper"] = nullptr;
    if (bounds.upper) json["upper"] = *bounds.upper;
    return json;
}

nlohmann::ordered_json json_of(const ExpectedCost& cost) {
    return {{"states", cost.states}, {"memory_bytes", cost.memory_bytes}, {"seconds", cost.seconds}};
}

void fill_summary(pipeline::Summary& summary, const Estimate& found) {
    auto& result = summary.result;
    result["depth"] = json_of(found.depth);
    result["leaves"] = json_of(found.leaves);
    result["fits_exact_search"] = found.fits_exact_search;
    if (found.fits_exact_search) {
        result["expected"]["depth"] = json_of(found.depth_search);
        result["expected"]["leaves"] = json_of(found.leaves_search);
        result["expected"]["depth_leaves"] = json_of(found.depth_leaves_search);
    }
    result["ended_early"] = found.ended_early;
    result["advice"] = found.advice;
    auto& details = summary.details;
    details["trees"] = found.trees;
    details["tree_leaves"] = found.tree_leaves;
    details["depth_sum"] = found.depth_sum;
    details["hyperplanes"] = found.hyperplanes;
    details["relevant_hyperplanes"] = found.relevant_hyperplanes;
    details["all_cells_seen"] = found.all_cells_seen;
    details["log10_cells"] = found.log10_cells;
    if (found.log10_filtered_cells) details["log10_filtered_cells"] = *found.log10_filtered_cells;
}

std::string power_text(double log10) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "10^%.1f", log10);
    return text.data();
}

std::string bounds_text(const SizeBounds& bounds) {
    if (!bounds.upper) return "at least " + std::to_string(bounds.lower) + "; no tree was found in time";
    if (bounds.lower == *bounds.upper) return std::to_string(bounds.lower);
    return std::to_string(bounds.lower) + " to " + std::to_string(*bounds.upper);
}

std::string cost_text(const ExpectedCost& cost) {
    std::array<char, 32> states{};
    std::snprintf(states.data(), states.size(), "%.2g states", cost.states);
    return std::string(states.data()) + ", " + format_bytes(static_cast<std::uint64_t>(cost.memory_bytes)) + ", " +
           format_seconds(cost.seconds);
}

void show(pipeline::Summary& summary, const Estimate& found) {
    summary.show("ensemble",
                 std::to_string(found.trees) + " trees, " + std::to_string(found.tree_leaves) + " leaves");
    summary.show("borders between cells", std::to_string(found.hyperplanes) + ", " +
                                              std::to_string(found.relevant_hyperplanes) +
                                              (found.all_cells_seen ? " of them matter" : " seen to matter"));
    summary.show("cells", power_text(found.log10_cells) +
                              (found.log10_filtered_cells
                                   ? ", " + power_text(*found.log10_filtered_cells) + " without the others"
                                   : ""));
    summary.show("least depth", bounds_text(found.depth));
    summary.show("fewest leaves", bounds_text(found.leaves));
    if (found.fits_exact_search) {
        summary.show("search for depth, roughly", cost_text(found.depth_search));
        summary.show("for leaves", cost_text(found.leaves_search));
        summary.show("for depth-leaves", cost_text(found.depth_leaves_search));
    } else {
        summary.show("exact search", "the space is too large for it");
    }
    for (const std::string& line : found.advice) summary.show("what helps", line);
}

}  // namespace

void estimate_reborn(pipeline::JobContext& context, const cellspace::CompiledEnsemble& ensemble,
                     const cellspace::Box& box, std::uint32_t samples) {
    const auto phase = context.summary.phase("estimate");
    comm::agree_on(context.comm, [&] {
        if (!context.comm.is_root()) return;
        const Estimate found = work(context, ensemble, box, samples);
        fill_summary(context.summary, found);
        show(context.summary, found);
    });
}

}  // namespace regrove::jobs
