// The learner's own option table reads the values.
#include "regrove/pipeline/search_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/portable_math.hpp"
#include "regrove/core/random.hpp"

namespace regrove::pipeline {

namespace {

// Streams are told apart by their upper bits; boosting's validation rows have 15.
constexpr std::uint64_t k_search_stream = std::uint64_t{16} << 56U;
constexpr std::uint64_t k_most_combinations = 100000;

std::string option_named(const std::string& name) {
    LearnerOptions learner;
    OptionTable table;
    list_options(learner, table);
    if (const OptionEntry* entry = table.find(name)) return entry->name;
    const std::string nearest = table.nearest(name);
    throw ConfigError("--vary: training has no option '" + name + "'" +
                      (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

bool read_range(std::string text, SearchDimension& dimension) {
    const auto dots = text.find("..");
    if (dots == std::string::npos) return false;
    const std::string what = "--vary " + dimension.option + "=" + text;
    if (text.ends_with(":log")) {
        dimension.is_logarithmic = true;
        text.resize(text.size() - 4);
    }
    const std::string low = text.substr(0, dots);
    const std::string high = text.substr(dots + 2);
    const auto low_number = parse_double(low);
    const auto high_number = parse_double(high);
    if (low_number.status != NumberStatus::ok || high_number.status != NumberStatus::ok)
        throw ConfigError(what + ": a range is LOW..HIGH or LOW..HIGH:log, both numbers");
    dimension.low = low_number.value;
    dimension.high = high_number.value;
    dimension.is_whole = parse_int64(low).status == NumberStatus::ok && parse_int64(high).status == NumberStatus::ok;
    if (!(dimension.low < dimension.high)) throw ConfigError(what + ": the first bound must be the smaller one");
    if (dimension.is_logarithmic && !(dimension.low > 0))
        throw ConfigError(what + ": logarithms need bounds above zero");
    return true;
}

void add_value(SearchDimension& dimension, const std::string& value) {
    if (std::ranges::find(dimension.values, value) != dimension.values.end())
        throw ConfigError("--vary " + dimension.option + ": the value " + value + " is given twice");
    dimension.values.push_back(value);
}

SearchDimension read_dimension(const std::string& word) {
    const auto equals = word.find('=');
    SearchDimension dimension;
    dimension.option = option_named(word.substr(0, equals));
    const std::string values = word.substr(equals + 1);
    if (read_range(values, dimension)) return dimension;
    for (const std::string& value : split_list(values)) add_value(dimension, value);
    if (dimension.values.empty()) throw ConfigError("--vary '" + word + "': no value is given");
    return dimension;
}

SearchSetting setting_of(const std::vector<SearchDimension>& space, const LearnerOptions& base,
                         std::vector<std::string> values) {
    SearchSetting setting{std::move(values), base};
    OptionTable table;
    list_options(setting.learner, table);
    for (std::size_t i = 0; i < space.size(); ++i) table.find(space[i].option)->parse(setting.values[i]);
    return setting;
}

/// A value of the range at `share` in [0, 1) of it.
std::string text_at(const SearchDimension& dimension, double share) {
    const double high = dimension.is_whole ? dimension.high + 1 : dimension.high;
    double value = dimension.low + share * (high - dimension.low);
    if (dimension.is_logarithmic) value = dimension.low * portable::exp(share * portable::log(high / dimension.low));
    if (dimension.is_whole) value = std::floor(value);
    value = std::clamp(value, dimension.low, dimension.high);
    if (dimension.is_whole) return regrove::to_text(static_cast<std::int64_t>(value));
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.6g", value);
    return regrove::to_text(std::clamp(parse_double(digits.data()).value, dimension.low, dimension.high));
}

}  // namespace

std::vector<SearchDimension> parse_space(const std::vector<std::string>& words) {
    std::vector<SearchDimension> space;
    for (const std::string& word : words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos && !space.empty() && !space.back().values.empty()) {
            add_value(space.back(), word);
            continue;
        }
        if (equals == std::string::npos || equals == 0)
            throw ConfigError("--vary '" + word + "': give OPTION=VALUE,VALUE,... or OPTION=LOW..HIGH");
        SearchDimension dimension = read_dimension(word);
        for (const SearchDimension& other : space)
            if (other.option == dimension.option)
                throw ConfigError("--vary: the option " + dimension.option + " is given twice");
        space.push_back(std::move(dimension));
    }
    return space;
}

std::vector<SearchSetting> grid_settings(const std::vector<SearchDimension>& space, const LearnerOptions& base) {
    std::uint64_t count = 1;
    for (const SearchDimension& dimension : space) {
        if (dimension.values.empty())
            throw ConfigError("--vary " + dimension.option +
                              " is a range: give --draws N to try N points of the space");
        count *= dimension.values.size();
        if (count > k_most_combinations)
            throw ConfigError("--vary: more than " + std::to_string(k_most_combinations) +
                              " combinations; give --draws N to try N of them");
    }
    std::vector<SearchSetting> settings;
    for (std::uint64_t index = 0; index < count; ++index) {
        std::vector<std::string> values(space.size());
        std::uint64_t rest = index;
        for (std::size_t i = space.size(); i-- > 0; rest /= space[i].values.size())
            values[i] = space[i].values[rest % space[i].values.size()];
        settings.push_back(setting_of(space, base, std::move(values)));
    }
    return settings;
}

std::vector<SearchSetting> drawn_settings(const std::vector<SearchDimension>& space, const LearnerOptions& base,
                                          std::uint64_t draws, std::uint64_t seed) {
    std::vector<SearchSetting> settings;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        const CounterRandom random(seed, k_search_stream | draw);
        std::vector<std::string> values;
        for (std::size_t i = 0; i < space.size(); ++i) {
            const SearchDimension& dimension = space[i];
            values.push_back(dimension.values.empty() ? text_at(dimension, random.uniform(i))
                                                      : dimension.values[random.below(i, dimension.values.size())]);
        }
        settings.push_back(setting_of(space, base, std::move(values)));
    }
    return settings;
}

}  // namespace regrove::pipeline
