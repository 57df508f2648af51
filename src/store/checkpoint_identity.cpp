// The first difference between two identities, in words.
#include "regrove/store/checkpoint_identity.hpp"

#include <algorithm>

namespace regrove::store {

namespace {

using Facts = CheckpointIdentity::Facts;

const std::string* find(const Facts& facts, const std::string& name) {
    const auto found = std::ranges::find(facts, name, &Facts::value_type::first);
    return found == facts.end() ? nullptr : &found->second;
}

std::string quoted(const std::string* text) { return text == nullptr ? "not there" : "'" + *text + "'"; }

std::string first_difference(const Facts& wanted, const Facts& found, const std::string& what) {
    const auto compare = [&](const std::string& name) {
        const std::string* now = find(wanted, name);
        const std::string* then = find(found, name);
        if (now != nullptr && then != nullptr && *now == *then) return std::string();
        return what + " " + name + " is " + quoted(now) + ", in the checkpoint " + quoted(then);
    };
    for (const Facts* facts : {&wanted, &found}) {
        for (const auto& fact : *facts) {
            if (auto text = compare(fact.first); !text.empty()) return text;
        }
    }
    return {};
}

}  // namespace

IdentityDifference difference(const CheckpointIdentity& wanted, const CheckpointIdentity& found) {
    if (wanted.job != found.job)
        return {"the job is '" + wanted.job + "', in the checkpoint '" + found.job + "'", false};
    if (wanted.format != found.format) {
        return {"the job's records have version " + std::to_string(wanted.format) + ", in the checkpoint " +
                    std::to_string(found.format),
                false};
    }
    if (auto text = first_difference(wanted.options, found.options, "option"); !text.empty()) return {text, false};
    return {first_difference(wanted.inputs, found.inputs, "input"), true};
}

}  // namespace regrove::store
