#include "regrove/comm/agreement.hpp"

#include <new>
#include <string>

#include "regrove/core/error.hpp"

namespace regrove::comm {

namespace {

struct Failure {
    ExitCode code = ExitCode::internal;
    std::string message;
};

Failure describe(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const Error& e) {
        return {e.code(), e.what()};
    } catch (const std::bad_alloc&) {
        return {ExitCode::limit, "out of memory; use more ranks or a smaller table"};
    } catch (const std::exception& e) {
        return {ExitCode::internal, std::string("unexpected error: ") + e.what()};
    }
}

}  // namespace

void agree(Communicator& comm, std::exception_ptr own_error) {
    const auto none = static_cast<double>(comm.size());
    double first_failed = own_error ? comm.rank() : none;
    comm.min(std::span(&first_failed, 1));
    if (first_failed == none) return;
    if (comm.size() == 1) std::rethrow_exception(own_error);
    const int failed_rank = static_cast<int>(first_failed);
    Failure failure;
    if (comm.rank() == failed_rank) failure = describe(own_error);
    std::string message = failure.message;
    comm.broadcast(message, failed_rank);
    std::vector<int> code{static_cast<int>(failure.code)};
    comm.broadcast(code, failed_rank);
    throw Error(static_cast<ExitCode>(code[0]), message + " (rank " + std::to_string(failed_rank) + ")");
}

}  // namespace regrove::comm
