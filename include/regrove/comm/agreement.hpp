// Ranks agree on failure: either all go on, or all throw the same error.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "regrove/comm/communicator.hpp"

namespace regrove::comm {

/// Ends a stage: if any rank passes an error, every rank throws it (the lowest failing rank's error; with more than
/// one rank its message says which rank). Collective: call it at the end of every stage that may fail on one rank.
void agree(Communicator& comm, std::exception_ptr own_error);

/// Runs `work` (which must not communicate) and agrees on its outcome.
template <class Work>
auto agree_on(Communicator& comm, Work&& work) {
    std::exception_ptr error;
    using Result = decltype(work());
    if constexpr (std::is_void_v<Result>) {
        try {
            std::forward<Work>(work)();
        } catch (...) {
            error = std::current_exception();
        }
        agree(comm, error);
    } else {
        std::optional<Result> result;
        try {
            result.emplace(std::forward<Work>(work)());
        } catch (...) {
            error = std::current_exception();
        }
        agree(comm, error);
        return std::move(*result);
    }
}

}  // namespace regrove::comm
