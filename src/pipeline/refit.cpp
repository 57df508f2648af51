// The inverse of describe(): the same option table reads what it has written.
#include "regrove/pipeline/refit.hpp"

#include <string_view>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {
namespace {

constexpr std::string_view k_option = "option.";

std::uint64_t seed_of(const std::string& text) {
    const auto seed = parse_int64(text);
    if (seed.status != NumberStatus::ok || seed.value < 0)
        throw ConfigError("the model's provenance is damaged: seed '" + text + "' is no whole number");
    return static_cast<std::uint64_t>(seed.value);
}

}  // namespace

RefitOptions refit_options(const model::Ensemble& ensemble) {
    RefitOptions options;
    OptionTable table;
    list_options(options.learner, table);
    const auto method = ensemble.provenance.find("method");
    const std::string name = method == ensemble.provenance.end() ? "" : method->second;
    if (name != "cart" && name != "forest" && name != "boosting")
        throw ConfigError("the model cannot be trained again: its provenance names the method '" + name +
                          "', but only Regrove's own methods tell all their options");
    table.find("method")->parse(name);
    if (!ensemble.tree_weights.empty())
        throw ConfigError("the model cannot be trained again: its trees have weights, which training does not give");
    for (const auto& [key, value] : ensemble.provenance) {
        if (key == "seed") options.seed = seed_of(value);
        if (!std::string_view(key).starts_with(k_option)) continue;
        const OptionEntry* entry = table.find(std::string_view(key).substr(k_option.size()));
        if (entry == nullptr)
            throw ConfigError("the model was trained with an option that this Regrove does not know: " + key);
        entry->parse(value);
    }
    return options;
}

}  // namespace regrove::pipeline
