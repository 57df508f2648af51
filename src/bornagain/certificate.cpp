#include "regrove/bornagain/certificate.hpp"

#include <nlohmann/json.hpp>

#include "regrove/core/error.hpp"
#include "regrove/core/sha256.hpp"
#include "regrove/core/version.hpp"

namespace regrove::bornagain {

namespace {

using Json = nlohmann::ordered_json;

/// Raised when a field changes its meaning.
constexpr int k_certificate_version = 1;

constexpr const char* k_class_tie_rule = "of classes with equal scores the one of the smaller index";
constexpr const char* k_tree_tie_rule =
    "from the root on, of the questions that a tree of this value may ask the one that leaves the fewest borders "
    "across which a class changes on its worse side, then on both sides together, then the first by feature in the "
    "ensemble's order, then by border in rising order";

std::string_view claim(const RebornResult& result, const RebornOptions& options) {
    if (!result.has_tree()) return "a limit came before any faithful tree was found; the bounds hold for every one";
    switch (options.support) {
        case Support::all:
            return "the tree's class is the ensemble's at every point of the space";
        case Support::rows:
            return "the tree's class is the ensemble's in every cell that holds a row of the table";
        case Support::range:
            return "the tree's class is the ensemble's at every point within the table's range of each feature";
    }
    throw InternalError("unknown support");
}

Json bounds_json(const RebornResult& result, const RebornOptions& options) {
    Json json;
    json["value"] = nullptr;
    if (result.has_tree()) json["value"] = result.value;
    json["lower_bound"] = result.lower_bound;
    json["optimal"] = is_optimal(result, options.objective);
    if (options.objective == Objective::depth_leaves) json["depth_lower_bound"] = result.depth_bound;
    json["ended"] = to_text(result.ended);
    if (!result.has_tree()) {
        json["depth_lower_bound"] = result.depth_bound;
        json["leaves_lower_bound"] = result.leaves_bound;
    }
    return json;
}

Json tree_json(const CertificateFacts& facts) {
    return {{"format", "regrove-json"}, {"sha256", sha256_hex(facts.tree_text)}};
}

Json settings_json(const RebornOptions& options, cellspace::UnseenValues unseen, const CertificateFacts& facts) {
    Json json;
    json["support"] = to_text(options.support);
    if (options.support != Support::all) {
        json["supported_cells_given"] = options.supported_cells.size();
        json["data_content_hash"] = facts.data_hash;
    }
    json["unseen_values"] = to_text(unseen);
    if (options.accept_gap > 0) json["accept_gap"] = options.accept_gap;
    if (options.objective == Objective::heuristic) {
        json["heuristic_samples"] = options.heuristic_samples;
        json["seed"] = facts.seed;
    }
    return json;
}

}  // namespace

std::string_view to_text(Objective objective) {
    switch (objective) {
        case Objective::depth:
            return "depth";
        case Objective::leaves:
            return "leaves";
        case Objective::depth_leaves:
            return "depth-leaves";
        case Objective::heuristic:
            return "heuristic";
    }
    throw InternalError("unknown objective");
}

std::string_view to_text(Support support) {
    switch (support) {
        case Support::all:
            return "all";
        case Support::rows:
            return "rows";
        case Support::range:
            return "range";
    }
    throw InternalError("unknown support");
}

std::string_view to_text(cellspace::UnseenValues unseen) {
    return unseen == cellspace::UnseenValues::inside ? "inside" : "outside";
}

std::string_view to_text(Ended ended) {
    switch (ended) {
        case Ended::optimal:
            return "optimal";
        case Ended::gap_accepted:
            return "gap accepted";
        case Ended::stopped:
            return "stopped";
        case Ended::out_of_memory:
            return "memory limit";
        case Ended::too_large:
            return "space too large";
        case Ended::heuristic_done:
            return "heuristic done";
    }
    throw InternalError("unknown end");
}

std::string_view to_text(Verified verified) {
    switch (verified) {
        case Verified::yes:
            return "yes";
        case Verified::undecided:
            return "undecided";
        case Verified::not_asked:
            return "not asked";
    }
    throw InternalError("unknown verification");
}

bool is_optimal(const RebornResult& result, Objective objective) {
    if (!result.has_tree()) return false;
    const bool least_depth = objective != Objective::depth_leaves || result.tree.depth() == result.depth_bound;
    return least_depth && result.value == result.lower_bound;
}

std::string certificate_text(const RebornResult& result, const RebornOptions& options, cellspace::UnseenValues unseen,
                             const CertificateFacts& facts) {
    Json json;
    json["certificate"] = "born-again tree";
    json["certificate_version"] = k_certificate_version;
    json["results_version"] = k_results_version;
    json["claim"] = claim(result, options);
    json["objective"] = to_text(options.objective);
    json.update(bounds_json(result, options));
    json["depth"] = nullptr;
    json["leaves"] = nullptr;
    if (result.has_tree()) {
        json["depth"] = result.tree.depth();
        json["leaves"] = result.tree.leaves();
    }
    json["verified"] = to_text(facts.verified);
    json["class_tie_rule"] = k_class_tie_rule;
    json["tree_tie_rule"] = k_tree_tie_rule;
    json.update(settings_json(options, unseen, facts));
    json["ensemble"] = {
        {"format", "regrove-json"}, {"sha256", sha256_hex(facts.ensemble_text)}, {"trees", facts.ensemble_trees}};
    json["tree"] = result.has_tree() ? tree_json(facts) : Json();
    return json.dump(2) + "\n";
}

std::string default_certificate_path(const std::string& output) {
    const std::string ending = ".json";
    const bool ends = output.size() > ending.size() && output.ends_with(ending);
    return (ends ? output.substr(0, output.size() - ending.size()) : output) + ".certificate.json";
}

}  // namespace regrove::bornagain
