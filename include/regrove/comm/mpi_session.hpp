// Starting and ending MPI, and asking whether there is a launcher at all.
#pragma once

#include <memory>
#include <string>

#include "regrove/comm/communicator.hpp"

namespace regrove::comm {

/// True under mpirun, srun or another launcher that sets its rank in the environment.
bool launched_on_ranks();

/// The rank that the launcher gave to this process, known before MPI starts; 0 without a launcher.
int launch_rank();

/// MPI_Init on construction (FUNNELED: only the main thread communicates), MPI_Finalize on destruction. Without a
/// launcher it starts as an isolated singleton, which takes a third less time.
class MpiSession {
  public:
    MpiSession();
    ~MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;
    Communicator& world();
    /// Ends all ranks at once with this exit code: for errors that only one rank knows about. Does not return.
    [[noreturn]] static void abort(int exit_code);

  private:
    std::unique_ptr<Communicator> world_;
};

/// The MPI library's name and version, for --version.
std::string mpi_version_text();

}  // namespace regrove::comm
