#include "reborn_report.hpp"

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::jobs {

namespace {

using bornagain::Objective;
using bornagain::RebornResult;

/// What is known of trees that are smaller than this one.
std::string proof_words(const RebornResult& found, Objective objective) {
    const bool depth = objective == Objective::depth;
    if (!bornagain::is_optimal(found, objective)) {
        const std::string bound = std::to_string(found.lower_bound);
        if (depth) return "every faithful tree has a depth of at least " + bound;
        if (objective == Objective::depth_leaves)
            return "every faithful tree has a depth of at least " + std::to_string(found.depth_bound) +
                   ", those of this depth at least " + bound + " leaves";
        return "every faithful tree has at least " + bound + " leaves";
    }
    if (depth) return "no faithful tree is less deep";
    if (objective == Objective::depth_leaves)
        return "no faithful tree is less deep, and none of this depth has fewer leaves";
    return "no faithful tree has fewer leaves";
}

void add_details(nlohmann::ordered_json& details, const RebornResult& found, bornagain::Verified verified) {
    details["ended"] = bornagain::to_text(found.ended);
    details["verified"] = bornagain::to_text(verified);
    details["depth_bound"] = found.depth_bound;
    details["leaves_bound"] = found.leaves_bound;
    details["memo_entries"] = found.figures.memo_entries;
    details["memo_bytes"] = found.figures.memo_bytes;
    details["log10_cells"] = found.figures.log10_cells;
    details["log10_filtered_cells"] = found.figures.log10_filtered_cells;
}

}  // namespace

std::string faithful_words(bornagain::Support support) {
    switch (support) {
        case bornagain::Support::all:
            return "everywhere";
        case bornagain::Support::rows:
            return "in the cells that hold a row of the table";
        case bornagain::Support::range:
            return "within the table's range of each feature";
    }
    throw InternalError("unknown support");
}

void report_reborn(pipeline::Summary& summary, const SearchOutcome& outcome, const bornagain::RebornOptions& options,
                   bornagain::Verified verified) {
    const RebornResult& found = outcome.result;
    if (found.has_tree()) {
        summary.result["depth"] = found.tree.depth();
        summary.result["leaves"] = found.tree.leaves();
        summary.result["value"] = found.value;
    }
    summary.result["lower_bound"] = found.lower_bound;
    summary.result["optimal"] = bornagain::is_optimal(found, options.objective);
    summary.result["states"] = found.figures.states;
    summary.result["seconds"] = outcome.seconds;
    add_details(summary.details, found, verified);
    if (!found.has_tree()) return;
    summary.show("depth", std::to_string(found.tree.depth()));
    summary.show("leaves", std::to_string(found.tree.leaves()));
    summary.show("faithful", faithful_words(options.support));
    summary.show("proven equal", std::string(bornagain::to_text(verified)));
    summary.show("proof", proof_words(found, options.objective));
    summary.show("search", std::to_string(found.figures.states) + " states, " + format_seconds(outcome.seconds));
}

}  // namespace regrove::jobs
