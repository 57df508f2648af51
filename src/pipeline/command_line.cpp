#include "regrove/pipeline/command_line.hpp"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

namespace {

/// "-o,--output,--out" for CLI11: the one-letter names are fixed for all jobs.
std::string cli_names(const OptionEntry& entry) {
    std::string names = to_flag(entry.name);
    for (const auto& alias : entry.aliases) names += "," + to_flag(alias);
    if (entry.name == "output") names += ",-o";
    if (entry.name == "threads") names += ",-j";
    return names;
}

class Parser {
  public:
    Parser(const OptionTable& table, std::span<const std::string> positionals) : table_(table) {
        app_.set_help_flag();
        app_.allow_extras();
        app_.add_flag("-h,--help", help_);
        app_.add_flag("-q", quiet_);
        app_.add_flag("-v", verbose_);
        for (const auto& entry : table.entries()) add(entry, positionals.empty());
        for (const auto& name : positionals) {
            positionals_[name] =
                app_.add_option(name, positional_values_[name])->type_size(1)->expected(1)->allow_extra_args(false);
        }
    }

    CommandLine parse(std::span<const std::string> words) {
        std::vector<std::string> reversed(words.rbegin(), words.rend());
        try {
            app_.parse(reversed);
        } catch (const CLI::ParseError& error) {
            throw UsageError(error.what());
        }
        CommandLine line;
        line.help = help_;
        if (help_) return line;
        refuse_extras();
        for (const auto& entry : table_.entries()) collect(entry, line.flags);
        if (quiet_ || verbose_) {
            if (quiet_ && verbose_) throw UsageError("-q and -v contradict each other");
            line.flags.push_back({"", "log_level", quiet_ ? "error" : "debug", quiet_ ? "-q" : "-v", true});
        }
        return line;
    }

  private:
    void add(const OptionEntry& entry, bool lists_take_following_words) {
        auto& values = values_[entry.name];
        if (entry.is_flag) {
            options_[entry.name] =
                app_.add_flag(cli_names(entry), values)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
            return;
        }
        auto* option = app_.add_option(cli_names(entry), values);
        option->type_size(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        const bool greedy = entry.is_list && lists_take_following_words && entry.name != "set";
        option->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(greedy);
        options_[entry.name] = option;
    }

    void refuse_extras() const {
        for (const auto& word : app_.remaining()) {
            if (word.starts_with("--") && word.size() > 2) {
                const auto name =
                    word.substr(2, word.find('=') == std::string::npos ? word.npos : word.find('=') - 2);
                throw_unknown_key(table_, {"", to_key(name), "", word, true});
            }
            if (word.starts_with('-') && word.size() > 1) throw UsageError("unknown option '" + word + "'");
            throw UsageError("'" + word + "' belongs to no option; names of files stand behind a flag");
        }
    }

    void collect(const OptionEntry& entry, std::vector<Setting>& flags) {
        std::vector<std::string> values = options_.at(entry.name)->results();
        if (const auto found = positionals_.find(entry.name); found != positionals_.end()) {
            const auto& more = found->second->results();
            values.insert(values.end(), more.begin(), more.end());
        }
        if (values.empty()) return;
        const std::string flag = to_flag(entry.name);
        if (!entry.is_list && values.size() > 1) throw UsageError(flag + " is given more than once");
        for (const auto& value : values) refuse_swallowed_flag(flag, value);
        if (entry.name == "set") {
            for (auto& value : values) flags.push_back({"", entry.name, std::move(value), flag, true});
            return;
        }
        std::string text;
        for (const auto& value : values) text += (text.empty() ? "" : ",") + value;
        if (entry.is_flag && text == "true") text = "yes";
        flags.push_back({"", entry.name, std::move(text), flag, true});
    }

    /// `--output --seed 3` would otherwise write to a file called --seed.
    void refuse_swallowed_flag(const std::string& flag, const std::string& value) const {
        if (value.starts_with("--") && table_.find(value.substr(2)) != nullptr) {
            throw UsageError(flag + " needs a value before " + value);
        }
    }

    const OptionTable& table_;
    CLI::App app_;
    std::map<std::string, std::vector<std::string>> values_;
    std::map<std::string, std::vector<std::string>> positional_values_;
    std::map<std::string, CLI::Option*> options_;
    std::map<std::string, CLI::Option*> positionals_;
    bool help_ = false;
    bool quiet_ = false;
    bool verbose_ = false;
};

}  // namespace

CommandLine parse_command_line(const OptionTable& table, std::span<const std::string> positionals,
                               std::span<const std::string> words) {
    return Parser(table, positionals).parse(words);
}

}  // namespace regrove::pipeline
