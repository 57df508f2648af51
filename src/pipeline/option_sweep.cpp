// The learner's own option table reads the values.
#include "regrove/pipeline/option_sweep.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

namespace {

const OptionEntry& known_option(const OptionTable& table, const std::string& name) {
    if (const OptionEntry* entry = table.find(name)) return *entry;
    const std::string nearest = table.nearest(name);
    throw ConfigError("--vary: training has no option '" + name + "'" +
                      (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

}  // namespace

OptionSweep parse_sweep(const std::string& text, const LearnerOptions& base) {
    OptionSweep sweep;
    if (text.empty()) {
        sweep.values.emplace_back();
        sweep.learners.push_back(base);
        return sweep;
    }
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw ConfigError("--vary '" + text + "': give OPTION=VALUE,VALUE,... such as max_depth=1,2,3");
    for (const std::string& value : split_list(std::string_view(text).substr(equals + 1))) {
        LearnerOptions learner = base;
        OptionTable table;
        list_options(learner, table);
        const OptionEntry& entry = known_option(table, text.substr(0, equals));
        sweep.option = entry.name;
        if (std::ranges::find(sweep.values, value) != sweep.values.end())
            throw ConfigError("--vary " + sweep.option + ": the value " + value + " is given twice");
        entry.parse(value);
        sweep.values.push_back(value);
        sweep.learners.push_back(learner);
    }
    if (sweep.values.empty()) throw ConfigError("--vary '" + text + "': no value is given");
    return sweep;
}

}  // namespace regrove::pipeline
