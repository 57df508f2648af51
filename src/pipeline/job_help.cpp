#include "regrove/pipeline/job_help.hpp"

#include <algorithm>
#include <vector>

#include "regrove/pipeline/invocation.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_line_width = 100;
constexpr std::size_t k_help_column = 30;

/// `text` broken at blanks into lines that start in column `indent`.
std::string wrapped(const std::string& text, std::size_t indent) {
    std::string result;
    std::size_t column = indent;
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find(' ', begin), text.size());
        const auto word = text.substr(begin, end - begin);
        if (column > indent && column + 1 + word.size() > k_line_width) {
            result += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
        begin = end + 1;
    }
    return result;
}

/// "1 .. 9223372036854775807" as ">= 1": a bound that no one meets is no news.
std::string telling_bounds(const OptionEntry& entry) {
    const auto dots = entry.bounds.find(" .. ");
    if (dots == std::string::npos || entry.bounds.size() - dots < 20) return entry.bounds;
    return ">= " + entry.bounds.substr(0, dots);
}

std::string option_line(const OptionEntry& entry) {
    std::string line = "  " + option_spelling(entry);
    line += line.size() + 2 > k_help_column ? "\n" + std::string(k_help_column, ' ')
                                            : std::string(k_help_column - line.size(), ' ');
    std::string help = entry.help;
    if (const auto facts = option_facts(entry); !facts.empty()) help += " [" + facts + "]";
    return line + wrapped(help, k_help_column) + "\n";
}

std::string usage_line(const JobRow& row) {
    std::string line = "Usage: regrove " + row.name;
    for (auto name : row.positionals) {
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(toupper(c)); });
        line += " " + name;
    }
    return line + (row.has_stages ? "" : " [--config FILE.toml]") + " [--set KEY=VALUE]... [options]\n";
}

}  // namespace

std::string option_spelling(const OptionEntry& entry) {
    std::string text = to_flag(entry.name);
    if (entry.name == "output") text = "-o, " + text;
    if (entry.name == "threads") text = "-j, " + text;
    if (!entry.is_flag && !entry.value_name.empty()) text += " " + entry.value_name;
    return text;
}

std::string option_facts(const OptionEntry& entry) {
    std::vector<std::string> facts;
    if (!entry.default_text.empty()) facts.push_back("default " + entry.default_text);
    if (!entry.bounds.empty()) facts.push_back(telling_bounds(entry));
    if (entry.is_list) facts.push_back("may be repeated");
    for (const auto& alias : entry.aliases) facts.push_back("also " + to_flag(alias));
    std::string text;
    for (const auto& fact : facts) text += (text.empty() ? "" : "; ") + fact;
    return text;
}

std::string overview_text(std::span<const JobRow> jobs) {
    std::string text =
        "regrove - distributed tree ensembles, exact simpler forms and born-again trees\n\n"
        "Usage: regrove JOB [--config FILE.toml] [--set KEY=VALUE]... [options]\n"
        "       mpirun -n N regrove JOB ...   the same job on N ranks, with the same result\n"
        "       regrove JOB --help            every option of a job\n";
    std::vector<std::string> groups;
    std::size_t width = 0;
    for (const auto& job : jobs) {
        if (std::find(groups.begin(), groups.end(), job.group) == groups.end()) groups.push_back(job.group);
        width = std::max(width, job.name.size());
    }
    for (const auto& group : groups) {
        text += "\n" + group + "\n";
        for (const auto& job : jobs) {
            if (job.group != group) continue;
            text += "  " + job.name + std::string(width - job.name.size() + 3, ' ') +
                    wrapped(job.purpose, width + 5) + "\n";
        }
    }
    text +=
        "\nabout regrove\n"
        "  --version [--json]      versions of Regrove, MPI, HDF5 and the compiler\n"
        "  completion bash         shell completion: source <(regrove completion bash)\n"
        "  man                     manual page: regrove man | man -l -\n";
    return text;
}

std::string job_help_text(const JobRow& row) {
    const Invocation invocation(row);
    std::string own;
    std::string runner;
    for (const auto& entry : invocation.table().entries()) {
        if (entry.name == "config" && row.has_stages) continue;
        (is_runner_option(entry.name) ? runner : own) += option_line(entry);
    }
    return "regrove " + row.name + " - " + row.purpose + "\n\n" + usage_line(row) + "Example: " + row.example +
           "\n\nOptions:\n" + own + "\nOptions of every job:\n" + runner +
           "  -q, -v                      say less, say more\n"
           "\nA flag such as --overwrite may also be written --overwrite=no. In a file and in --set, options are\n"
           "written with underscores: max_depth = 3.\n";
}

}  // namespace regrove::pipeline
