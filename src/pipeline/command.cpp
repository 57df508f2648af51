#include "regrove/pipeline/command.hpp"

#include <algorithm>
#include <cstdio>

#include "regrove/comm/mpi_session.hpp"
#include "regrove/core/error.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/invocation.hpp"
#include "regrove/pipeline/job_help.hpp"
#include "regrove/pipeline/job_process.hpp"
#include "regrove/pipeline/shell_pages.hpp"
#include "regrove/pipeline/version_report.hpp"

namespace regrove::pipeline {

namespace {

using Words = std::span<const std::string>;

bool has_word(Words words, std::initializer_list<const char*> wanted) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
    });
}

/// For what needs no MPI: under a launcher one process speaks for all.
bool speaks() { return comm::launch_rank() == 0; }

int print(const std::string& text) {
    if (!speaks()) return static_cast<int>(ExitCode::ok);
    const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    return static_cast<int>(written ? ExitCode::ok : ExitCode::io);
}

int dispatch(Words words, std::span<const JobRow> jobs) {
    if (words.empty()) {
        if (speaks()) std::fputs(overview_text(jobs).c_str(), stderr);
        return static_cast<int>(ExitCode::usage);
    }
    const std::string& first = words[0];
    const Words rest = words.subspan(1);
    if (first == "--help" || first == "-h" || first == "help") {
        return print(rest.empty() ? overview_text(jobs) : job_help_text(find_job(jobs, rest[0])));
    }
    if (first == "--version" || first == "version") return print(version_report(has_word(rest, {"--json"})));
    if (first == "man") return print(manual_page(jobs));
    if (first == "completion") {
        if (rest.size() != 1 || rest[0] != "bash") throw UsageError("completion takes one shell: bash");
        return print(bash_completion(jobs));
    }
    const JobRow& row = find_job(jobs, first);
    if (has_word(rest, {"--help", "-h"})) return print(job_help_text(row));
    if (row.mpi == MpiUse::never && !speaks()) return static_cast<int>(ExitCode::ok);
    return run_job_process(row, rest, jobs);
}

}  // namespace

int run_command(const std::vector<std::string>& words, std::span<const JobRow> jobs) {
    try {
        return dispatch(words, jobs);
    } catch (...) {
        const Failure failure = describe(std::current_exception());
        if (speaks()) print_failure(failure, "");
        return static_cast<int>(failure.code);
    }
}

}  // namespace regrove::pipeline
