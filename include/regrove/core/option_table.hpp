// The field table of an Options aggregate: name, default, bounds and help of each option, declared once.
//
// An algorithm's Options is a plain struct beside the algorithm, with one function
//     void list_options(CartOptions& options, OptionTable& table);
// that names each field. The parser, --help, the documentation, the summary and the resume hash all read the table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace regrove {

/// One option as the command line and the configuration file see it. `parse` throws ConfigError on a bad value.
struct OptionEntry {
    std::string name;                  ///< snake_case; the flag is the same with dashes
    std::string help;                  ///< one line
    std::string value_name;            ///< "N", "X", "FILE", "yes|no", "a|b|c"; shown in --help
    std::string bounds;                ///< "1 .. 64", or empty
    std::string default_text;          ///< text of the value when the entry was made
    std::vector<std::string> aliases;  ///< other names that users know, snake_case
    bool is_flag = false;              ///< may stand without a value, meaning "yes"
    bool is_list = false;              ///< may be repeated or hold comma-separated values
    bool affects_result = true;        ///< part of the resume hash and the start-up handshake
    /// Replaces the value. A list is read as by split_list: whoever repeats a list option joins the parts with
    /// join_list.
    std::function<void(std::string_view)> parse;
    std::function<std::string()> text;
};

/// Items joined by commas; a comma or backslash inside an item is escaped by a backslash.
std::string join_list(const std::vector<std::string>& items);
/// The inverse of join_list; empty text is the empty list.
std::vector<std::string> split_list(std::string_view text);

/// Named values of an enumeration option, in the order in which --help lists them.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Reference-holding table: the options it was built from must outlive it.
class OptionTable {
  public:
    /// Further details of the entry added last, chained: table.add(...).alias("eta").no_result();
    class Added {
      public:
        explicit Added(OptionEntry& entry) : entry_(entry) {}
        Added& alias(std::string name);
        /// The result does not depend on this option (threads, log level, paths).
        Added& no_result();
        Added& value_name(std::string name);

      private:
        OptionEntry& entry_;
    };

    Added add(std::string name, bool& value, std::string help);
    Added add(std::string name, std::string& value, std::string help);
    Added add(std::string name, std::vector<std::string>& value, std::string help);
    Added add(std::string name, std::uint32_t& value, std::uint32_t low, std::uint32_t high, std::string help);
    Added add(std::string name, std::uint64_t& value, std::uint64_t low, std::uint64_t high, std::string help);
    Added add(std::string name, double& value, double low, double high, std::string help);
    /// An entry of another table, or one made by hand; its default is its text of now.
    Added add(OptionEntry entry) { return push(std::move(entry)); }
    /// "auto" stands for nullopt.
    Added add(std::string name, std::optional<bool>& value, std::string help);

    template <class E>
    Added add(std::string name, E& value, const Choices<E>& choices, std::string help) {
        std::vector<std::string> names;
        for (const auto& choice : choices) names.push_back(choice.first);
        return add_choice(
            std::move(name), std::move(names), [&value, choices](std::size_t i) { value = choices[i].second; },
            [&value, choices] {
                for (std::size_t i = 0; i < choices.size(); ++i)
                    if (choices[i].second == value) return i;
                return choices.size();
            },
            std::move(help));
    }

    const std::vector<OptionEntry>& entries() const { return entries_; }
    /// By name or alias, dashes or underscores; null when unknown.
    const OptionEntry* find(std::string_view name) const;
    /// The known name nearest to `name` by edit distance, else one that holds it as a part; empty when there is none.
    std::string nearest(std::string_view name) const;

  private:
    Added add_choice(std::string name, std::vector<std::string> names, std::function<void(std::size_t)> set,
                     std::function<std::size_t()> get, std::string help);
    Added push(OptionEntry entry);
    std::vector<OptionEntry> entries_;
};

}  // namespace regrove
