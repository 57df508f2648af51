#include "regrove/pipeline/failure.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>

namespace regrove::pipeline {

Failure describe(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Error& e) {
        return {e.code(), e.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::limit, "out of memory"};
    } catch (const std::filesystem::filesystem_error& e) {
        return {ExitCode::io, e.what()};
    } catch (const std::exception& e) {
        return {ExitCode::internal, std::string("unexpected error: ") + e.what()};
    } catch (...) {
        return {ExitCode::internal, "unexpected error of unknown type"};
    }
}

std::vector<Failure> gather_failures(comm::Communicator& comm, const std::exception_ptr& own_error) {
    std::string own;
    if (own_error) {
        const Failure failure = describe(own_error);
        own = std::to_string(static_cast<int>(failure.code)) + ' ' + failure.message;
    }
    const auto texts = comm.gather_all(own);
    std::vector<Failure> failures;
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        if (text->empty() || std::find(texts.begin(), text, *text) != text) continue;
        const auto blank = text->find(' ');
        std::string message = text->substr(blank + 1);
        if (std::count(texts.begin(), texts.end(), *text) != comm.size()) {
            message = "rank " + std::to_string(text - texts.begin()) + ": " + message;
        }
        failures.push_back({static_cast<ExitCode>(std::stoi(text->substr(0, blank))), message});
    }
    return failures;
}

std::string hint_for(ExitCode code, const std::string& job) {
    const std::string help = job.empty() ? "regrove --help" : "regrove " + job + " --help";
    switch (code) {
        case ExitCode::ok:
        case ExitCode::answer_is_no:
            return {};
        case ExitCode::usage:
        case ExitCode::config:
            return "'" + help + "' shows every option with its bounds and an example";
        case ExitCode::data:
            return "correct the input named above, then run the same command again; no output was written";
        case ExitCode::no_checkpoint:
            return "give the folder of the checkpoints, or --resume auto to start anew";
        case ExitCode::limit:
            return "raise the limit, use more ranks, or make the task smaller";
        case ExitCode::internal:
            return "this is a bug in Regrove; please report it with the command that led here";
        case ExitCode::cannot_create:
            return "choose another name, or give --overwrite to replace what is there";
        case ExitCode::io:
            return "check the path and the free space; no half-written output was left";
        case ExitCode::stopped_resumable:
            return "run the same command again to go on";
        case ExitCode::permission:
            return "check owner and mode of the file and of its folder";
    }
    return {};
}

void print_failure(const Failure& failure, const std::string& job) {
    std::string text = "regrove: error: " + failure.message + "\n";
    if (const auto hint = hint_for(failure.code, job); !hint.empty()) text += "regrove: hint: " + hint + "\n";
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace regrove::pipeline
