// Starts MPI and asks a file whether it is an HDF5 table: what only the modules with ranks and table files can do.
#include <cstdio>
#include <exception>
#include <string>

#include "regrove/comm/mpi_session.hpp"
#include "regrove/store/table_file.hpp"

int main(int argc, char** argv) {
    try {
        regrove::comm::MpiSession session;
        const auto ranks = session.world().sum(std::uint64_t{1});
        const bool table = regrove::store::is_hdf5_file(std::string(argc > 1 ? argv[1] : ".") + "/tables/wdbc.csv");
        std::printf("ranks %llu, a CSV file is an HDF5 table: %s\n", static_cast<unsigned long long>(ranks),
                    table ? "yes" : "no");
        return ranks == 1 && !table ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
