#include "regrove/pipeline/shell_pages.hpp"

#include <algorithm>

#include "regrove/core/version.hpp"
#include "regrove/pipeline/invocation.hpp"
#include "regrove/pipeline/job_help.hpp"

namespace regrove::pipeline {

namespace {

/// "auto|on|off" as "auto on off"; empty for free values.
std::string choices_of(const OptionEntry& entry) {
    const auto& name = entry.value_name;
    const bool words = std::none_of(name.begin(), name.end(), [](unsigned char c) { return std::isupper(c) != 0; });
    if (entry.is_flag || name.find('|') == std::string::npos || !words) return {};
    std::string text = name;
    std::replace(text.begin(), text.end(), '|', ' ');
    return text;
}

std::string completion_of(const JobRow& row) {
    const Invocation invocation(row);
    std::string flags = "--help";
    std::string values;
    for (const auto& entry : invocation.table().entries()) {
        flags += " " + to_flag(entry.name);
        if (const auto choices = choices_of(entry); !choices.empty()) {
            values += "        " + row.name + ":" + to_flag(entry.name) + ") words=\"" + choices + "\" ;;\n";
        }
    }
    return values + "        " + row.name + ":*) flags=\"" + flags + "\" ;;\n";
}

/// Text that roff takes as it is: no line begins with a control character, and backslashes and dashes stay
/// themselves.
std::string roff(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (result.empty() && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

std::string option_paragraph(const OptionEntry& entry) {
    std::string text = ".TP\n.B " + roff(option_spelling(entry)) + "\n" + roff(entry.help);
    if (const auto facts = option_facts(entry); !facts.empty()) text += "\n[" + roff(facts) + "]";
    return text + "\n";
}

std::string job_section(const JobRow& row) {
    const Invocation invocation(row);
    std::string text =
        ".SS " + roff(row.name) + "\n" + roff(row.purpose) + ".\n.PP\nExample: " + roff(row.example) + "\n";
    for (const auto& entry : invocation.table().entries()) {
        if (!is_runner_option(entry.name)) text += option_paragraph(entry);
    }
    return text;
}

std::string shared_options(const JobRow& any) {
    const Invocation invocation(any);
    std::string text;
    for (const auto& entry : invocation.table().entries()) {
        if (is_runner_option(entry.name)) text += option_paragraph(entry);
    }
    return text;
}

}  // namespace

std::string bash_completion(std::span<const JobRow> jobs) {
    std::string names = "help completion man --help --version";
    std::string cases;
    for (const auto& row : jobs) {
        names += " " + row.name;
        cases += completion_of(row);
    }
    return "# bash completion of regrove; use: source <(regrove completion bash)\n"
           "_regrove() {\n"
           "    local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\" flags=\"\"\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"" +
           names +
           "\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case \"${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
           cases +
           "    esac\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "    elif [[ \"$current\" == -* ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))\n"
           "    else\n"
           "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _regrove regrove\n";
}

std::string manual_page(std::span<const JobRow> jobs) {
    std::string text =
        ".TH REGROVE 1 \"\" \"regrove " + version_text() +
        "\" \"User Commands\"\n"
        ".SH NAME\nregrove \\- distributed tree ensembles, exact simpler forms and born\\-again trees\n"
        ".SH SYNOPSIS\n.B regrove\n.I JOB\n[\\-\\-config FILE.toml] [\\-\\-set KEY=VALUE]... [options]\n.br\n"
        ".B mpirun \\-n\n.I N\n.B regrove\n.I JOB\n...\n"
        ".SH DESCRIPTION\nEach job reads files, writes files, and gives the same bytes on any number of ranks and "
        "threads. Flags beat \\-\\-set, \\-\\-set beats the file.\n.SH JOBS\n";
    for (const auto& row : jobs) text += job_section(row);
    if (!jobs.empty()) text += ".SH OPTIONS OF EVERY JOB\n" + shared_options(jobs.front());
    return text +
           ".SH EXIT STATUS\n0 ok; 1 the answer is no; 64 usage; 65 bad or mismatched data; 66 no checkpoint where "
           "one was "
           "required; 69 a limit without a way on; 70 internal; 73 output exists or run in use; 74 input or output "
           "failed; "
           "75 stopped, run it again; 77 permission; 78 configuration.\n"
           ".SH ENVIRONMENT\n.TP\n.B REGROVE_DATA\nThe folder that ${data} stands for in pipeline files.\n";
}

}  // namespace regrove::pipeline
