// How options of each type are read from text and shown.
#include "regrove/core/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove {

namespace {

std::string with_underscores(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}

std::string flag_of(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', '-');
    return "--" + text;
}

[[noreturn]] void refuse(const std::string& name, std::string_view text, const std::string& allowed) {
    throw ConfigError(flag_of(name) + ": '" + std::string(text) + "' is not allowed here; allowed: " + allowed);
}

std::optional<bool> read_yes_no(std::string_view text) {
    for (const std::string_view word : {"yes", "true", "on", "1"})
        if (text == word) return true;
    for (const std::string_view word : {"no", "false", "off", "0"})
        if (text == word) return false;
    return std::nullopt;
}

/// A whole number; "1e6" is taken too, as long as it is exact.
std::optional<std::uint64_t> read_count(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    const auto real = parse_double(text);
    if (real.status != NumberStatus::ok || !(real.value >= 0 && real.value <= 0x1.0p53)) return std::nullopt;
    value = static_cast<std::uint64_t>(real.value);
    if (static_cast<double>(value) != real.value) return std::nullopt;
    return value;
}

/// "1 .. 64", ">= 1", "<= 5", or empty when nothing is excluded.
std::string bounds_text(const std::string& low, const std::string& high) {
    if (low.empty() && high.empty()) return {};
    if (high.empty()) return ">= " + low;
    if (low.empty()) return "<= " + high;
    return low + " .. " + high;
}

std::string or_any(const std::string& bounds, const char* kind) {
    return bounds.empty() ? std::string("any ") + kind : std::string(kind) + ' ' + bounds;
}

template <class T>
OptionEntry count_entry(std::string name, T& value, T low, T high, std::string help) {
    OptionEntry entry;
    entry.bounds = bounds_text(low == 0 ? "0" : std::to_string(low),
                               high == std::numeric_limits<T>::max() ? "" : std::to_string(high));
    entry.value_name = "N";
    entry.parse = [&value, low, high, name, bounds = entry.bounds](std::string_view text) {
        const auto number = read_count(text);
        if (!number || *number < low || *number > high) refuse(name, text, or_any(bounds, "whole number"));
        value = static_cast<T>(*number);
    };
    entry.text = [&value] { return std::to_string(value); };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return entry;
}

}  // namespace

std::string join_list(const std::vector<std::string>& items) {
    std::string text;
    for (const std::string& item : items) {
        if (&item != &items.front()) text += ',';
        for (const char c : item) {
            if (c == ',' || c == '\\') text += '\\';
            text += c;
        }
    }
    return text;
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> items;
    if (text.empty()) return items;
    items.emplace_back();
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
        if (escape)
            items.back() += text[++i];
        else if (text[i] == ',')
            items.emplace_back();
        else
            items.back() += text[i];
    }
    return items;
}

OptionTable::Added& OptionTable::Added::alias(std::string name) {
    entry_.aliases.push_back(std::move(name));
    return *this;
}

OptionTable::Added& OptionTable::Added::no_result() {
    entry_.affects_result = false;
    return *this;
}

OptionTable::Added& OptionTable::Added::value_name(std::string name) {
    entry_.value_name = std::move(name);
    return *this;
}

OptionTable::Added OptionTable::push(OptionEntry entry) {
    REGROVE_CHECK(find(entry.name) == nullptr);
    entry.default_text = entry.text();
    entries_.push_back(std::move(entry));
    return Added(entries_.back());
}

OptionTable::Added OptionTable::add(std::string name, bool& value, std::string help) {
    OptionEntry entry;
    entry.is_flag = true;
    entry.value_name = "yes|no";
    entry.parse = [&value, name](std::string_view text) {
        const auto answer = read_yes_no(text);
        if (!answer) refuse(name, text, "yes, no");
        value = *answer;
    };
    entry.text = [&value] { return value ? "yes" : "no"; };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return push(std::move(entry));
}

OptionTable::Added OptionTable::add(std::string name, std::optional<bool>& value, std::string help) {
    OptionEntry entry;
    entry.value_name = "auto|yes|no";
    entry.parse = [&value, name](std::string_view text) {
        const auto answer = read_yes_no(text);
        if (!answer && text != "auto") refuse(name, text, "auto, yes, no");
        value = answer;
    };
    entry.text = [&value] { return !value ? "auto" : *value ? "yes" : "no"; };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return push(std::move(entry));
}

OptionTable::Added OptionTable::add(std::string name, std::string& value, std::string help) {
    OptionEntry entry;
    entry.value_name = "TEXT";
    entry.parse = [&value](std::string_view text) { value = text; };
    entry.text = [&value] { return value; };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return push(std::move(entry));
}

OptionTable::Added OptionTable::add(std::string name, std::vector<std::string>& value, std::string help) {
    OptionEntry entry;
    entry.is_list = true;
    entry.value_name = "A,B,...";
    entry.parse = [&value](std::string_view text) { value = split_list(text); };
    entry.text = [&value] { return join_list(value); };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return push(std::move(entry));
}

OptionTable::Added OptionTable::add(std::string name, std::uint32_t& value, std::uint32_t low, std::uint32_t high,
                                    std::string help) {
    return push(count_entry(std::move(name), value, low, high, std::move(help)));
}

OptionTable::Added OptionTable::add(std::string name, std::uint64_t& value, std::uint64_t low, std::uint64_t high,
                                    std::string help) {
    return push(count_entry(std::move(name), value, low, high, std::move(help)));
}

OptionTable::Added OptionTable::add(std::string name, double& value, double low, double high, std::string help) {
    constexpr double k_max = std::numeric_limits<double>::max();
    OptionEntry entry;
    entry.value_name = "X";
    entry.bounds = bounds_text(low < -k_max ? "" : to_text(low), high > k_max ? "" : to_text(high));
    entry.parse = [&value, low, high, name, bounds = entry.bounds](std::string_view text) {
        const auto number = parse_double(text);
        if (number.status != NumberStatus::ok || number.value < low || number.value > high)
            refuse(name, text, or_any(bounds, "number"));
        value = number.value;
    };
    entry.text = [&value] { return to_text(value); };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return push(std::move(entry));
}

OptionTable::Added OptionTable::add_choice(std::string name, std::vector<std::string> names,
                                           std::function<void(std::size_t)> set, std::function<std::size_t()> get,
                                           std::string help) {
    OptionEntry entry;
    std::string listed;
    for (const std::string& choice : names) {
        entry.value_name += (entry.value_name.empty() ? "" : "|") + choice;
        listed += (listed.empty() ? "" : ", ") + choice;
    }
    entry.text = [names, get = std::move(get)] {
        const std::size_t chosen = get();
        return chosen < names.size() ? names[chosen] : std::string();
    };
    entry.parse = [name, names = std::move(names), listed, set = std::move(set)](std::string_view text) {
        const auto found = std::find(names.begin(), names.end(), text);
        if (found == names.end()) refuse(name, text, listed);
        set(static_cast<std::size_t>(found - names.begin()));
    };
    entry.name = std::move(name);
    entry.help = std::move(help);
    return push(std::move(entry));
}

const OptionEntry* OptionTable::find(std::string_view name) const {
    const std::string key = with_underscores(name);
    for (const OptionEntry& entry : entries_)
        if (entry.name == key || std::find(entry.aliases.begin(), entry.aliases.end(), key) != entry.aliases.end())
            return &entry;
    return nullptr;
}

std::string OptionTable::nearest(std::string_view name) const {
    const std::string key = with_underscores(name);
    std::vector<std::string> names;
    for (const OptionEntry& entry : entries_) {
        names.push_back(entry.name);
        names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    }
    if (const std::string near = nearest_name(key, names); !near.empty()) return near;
    if (key.size() < 3) return {};
    const auto holds_key = [&](const std::string& known) { return known.find(key) != std::string::npos; };
    const auto found = std::find_if(names.begin(), names.end(), holds_key);
    return found == names.end() ? std::string() : *found;
}

}  // namespace regrove
