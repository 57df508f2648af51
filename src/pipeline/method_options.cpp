// Three tables merged by name.
#include "regrove/pipeline/method_options.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/objective/objective.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_cart = 0;
constexpr std::size_t k_forest = 1;
constexpr std::size_t k_boosting = 2;
constexpr std::size_t k_parts = 3;
using Parts = std::array<OptionTable, k_parts>;

void list_parts(LearnerOptions& options, Parts& parts) {
    train::list_options(options.cart, parts[k_cart]);
    train::list_options(options.forest, parts[k_forest]);
    train::list_options(options.boosting, parts[k_boosting]);
    parts[k_boosting]
        .add("valid_share", options.valid_share, 0, 0.9,
             "share of the rows drawn at random to watch the metric on, in place of --valid")
        .alias("validation_fraction");
}

/// Whether the method reads this part of the options.
bool reads(Method method, std::size_t part) {
    if (method == Method::boosting) return part == k_boosting;
    return part == k_cart || (part == k_forest && method == Method::forest);
}

std::string flag_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return "--" + name;
}

/// One name in several parts.
struct Shared {
    std::vector<std::pair<std::size_t, OptionEntry>> entries;  ///< with their parts, in their order
};

void note_refusal(LearnerOptions& options, const std::string& name, std::size_t part,
                  const std::optional<std::string>& message) {
    std::erase_if(options.refused, [&](const RefusedValue& r) { return r.option == name && r.part == part; });
    if (message) options.refused.push_back({name, part, *message});
}

void parse_all(const Shared& shared, LearnerOptions& options, std::string_view text) {
    std::optional<ConfigError> first;
    bool taken = false;
    for (const auto& [part, entry] : shared.entries) {
        try {
            entry.parse(text);
            taken = true;
            note_refusal(options, entry.name, part, std::nullopt);
        } catch (const ConfigError& error) {
            if (!first) first = error;
            note_refusal(options, entry.name, part, error.what());
        }
    }
    if (!taken) throw ConfigError(*first);
}

/// Choices of the parts, each once.
std::string joined_choices(const std::string& a, const std::string& b) {
    if (a == b || a.find('|') == std::string::npos) return a;
    std::string all = a;
    for (std::size_t begin = 0; begin <= b.size();) {
        const std::size_t end = std::min(b.find('|', begin), b.size());
        const std::string one = b.substr(begin, end - begin);
        if (("|" + all + "|").find("|" + one + "|") == std::string::npos) all += "|" + one;
        begin = end + 1;
    }
    return all;
}

OptionEntry merged(std::vector<std::pair<std::size_t, OptionEntry>> entries, LearnerOptions& options) {
    OptionEntry entry = entries.front().second;
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const OptionEntry& other = entries[i].second;
        for (const std::string& alias : other.aliases)
            if (alias != entry.name && std::ranges::find(entry.aliases, alias) == entry.aliases.end())
                entry.aliases.push_back(alias);
        entry.value_name = joined_choices(entry.value_name, other.value_name);
        entry.affects_result = entry.affects_result || other.affects_result;
        if (entries[i].first == k_boosting && (other.help != entry.help || other.default_text != entry.default_text))
            entry.help += "; boosting (default " + other.default_text + "): " + other.help;
    }
    const auto shared = std::make_shared<Shared>(Shared{std::move(entries)});
    entry.parse = [shared, &options](std::string_view text) { parse_all(*shared, options, text); };
    entry.text = [shared, &options] {
        for (const auto& [part, own] : shared->entries)
            if (reads(options.method, part)) return own.text();
        return shared->entries.front().second.text();
    };
    return entry;
}

std::string methods_of(const Parts& parts, const std::string& name) {
    if (parts[k_cart].find(name) != nullptr) return "cart or --method forest";
    const bool boosting = parts[k_boosting].find(name) != nullptr;
    if (parts[k_forest].find(name) == nullptr) return "boosting";
    return boosting ? "forest or --method boosting" : "forest";
}

/// The entry of a part for this very name (not alias).
const OptionEntry* named(const OptionTable& part, const std::string& name) {
    const auto found = std::ranges::find(part.entries(), name, &OptionEntry::name);
    return found == part.entries().end() ? nullptr : &*found;
}

bool known_to(Method method, const Parts& parts, const std::string& name) {
    for (std::size_t part = 0; part < k_parts; ++part)
        if (reads(method, part) && named(parts[part], name) != nullptr) return true;
    return false;
}

}  // namespace

void list_options(LearnerOptions& options, OptionTable& table) {
    table.add(
        "method", options.method,
        Choices<Method>{{"cart", Method::cart}, {"forest", Method::forest}, {"boosting", Method::boosting}},
        "cart: one exact decision tree; forest: many trees, each on rows and features drawn at random; boosting: "
        "trees that each mend the sum of those before");
    Parts parts;
    list_parts(options, parts);
    for (std::size_t part = 0; part < k_parts; ++part) {
        for (const OptionEntry& entry : parts[part].entries()) {
            if (named(table, entry.name) != nullptr) continue;
            std::vector<std::pair<std::size_t, OptionEntry>> entries;
            for (std::size_t other = part; other < k_parts; ++other)
                if (const OptionEntry* own = named(parts[other], entry.name)) entries.emplace_back(other, *own);
            table.add(entries.size() == 1 ? entry : merged(std::move(entries), options));
        }
    }
}

void list_method_options(LearnerOptions& options, OptionTable& table) {
    Parts parts;
    list_parts(options, parts);
    for (std::size_t part = 0; part < k_parts; ++part) {
        if (!reads(options.method, part)) continue;
        for (const OptionEntry& entry : parts[part].entries()) table.add(entry);
    }
}

std::string_view to_text(Method method) {
    return method == Method::cart ? "cart" : method == Method::forest ? "forest" : "boosting";
}

void check_options(const LearnerOptions& options) {
    for (const RefusedValue& refused : options.refused)
        if (reads(options.method, refused.part)) throw ConfigError(refused.message);
    LearnerOptions given = options;
    LearnerOptions usual;
    Parts given_parts;
    Parts usual_parts;
    list_parts(given, given_parts);
    list_parts(usual, usual_parts);
    for (std::size_t part = 0; part < k_parts; ++part) {
        for (std::size_t i = 0; i < given_parts[part].entries().size(); ++i) {
            const OptionEntry& entry = given_parts[part].entries()[i];
            if (known_to(options.method, given_parts, entry.name)) continue;
            if (entry.text() == usual_parts[part].entries()[i].text()) continue;
            const std::string methods = methods_of(given_parts, entry.name);
            throw ConfigError(flag_of(entry.name) + " is for --method " + methods + ", and the method is " +
                              std::string(to_text(options.method)) + "; leave it out, or add --method " +
                              methods.substr(0, methods.find(' ')));
        }
    }
    if (options.method != Method::boosting) return;
    if (options.boosting.objective.objective != "auto")
        static_cast<void>(objective::find_objective(options.boosting.objective.objective));
    train::check_options(options.boosting);
}

}  // namespace regrove::pipeline
