// An exception as what a person and the shell need: a message, a hint and an exit code.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/error.hpp"

namespace regrove::pipeline {

struct Failure {
    ExitCode code = ExitCode::internal;
    std::string message;
    friend bool operator==(const Failure&, const Failure&) = default;
};

Failure describe(const std::exception_ptr& error);

/// The failures of all ranks that have one, each once, in rank order; a failure that not all ranks share names its
/// first rank in its message. Collective.
std::vector<Failure> gather_failures(comm::Communicator& comm, const std::exception_ptr& own_error);

/// Runs `work` (which must not communicate) on every rank. When any rank fails, all throw the first failure, as
/// worded by gather_failures. Collective.
template <class Work>
void agree_plainly(comm::Communicator& comm, Work&& work) {
    std::exception_ptr error;
    try {
        work();
    } catch (...) {
        error = std::current_exception();
    }
    const auto failures = gather_failures(comm, error);
    if (!failures.empty()) throw Error(failures.front().code, failures.front().message);
}

/// One line on what to do about failures of this code; `job` may be empty.
std::string hint_for(ExitCode code, const std::string& job);

/// "regrove: error: ..." and the hint, on standard error.
void print_failure(const Failure& failure, const std::string& job);

}  // namespace regrove::pipeline
