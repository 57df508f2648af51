#include "regrove/comm/arrival.hpp"

#include <chrono>
#include <thread>

#include <mpi.h>

namespace regrove::comm {

struct Arrival::State {
    MPI_Comm group = MPI_COMM_NULL;
    bool left_open = false;
};

Arrival::Arrival() : state_(std::make_unique<State>()) { MPI_Comm_dup(MPI_COMM_WORLD, &state_->group); }

Arrival::~Arrival() {
    if (!state_->left_open) MPI_Comm_free(&state_->group);
}

bool Arrival::all_arrive(double timeout_seconds) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_seconds);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(state_->group, &request);
    int arrived = 0;
    MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    while (arrived == 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        MPI_Test(&request, &arrived, MPI_STATUS_IGNORE);
    }
    state_->left_open = arrived == 0;
    return arrived != 0;
}

}  // namespace regrove::comm
