#include "parcels.hpp"

#include <exception>
#include <vector>

#include "regrove/comm/agreement.hpp"

namespace regrove::store {

void collect_parcels(comm::Communicator& comm, const SpoolFile& spool,
                     const std::function<void(const std::string&)>& handle) {
    const std::vector<std::uint64_t> counts = comm.gather_all(spool.size());
    std::exception_ptr error;
    bool is_broken = false;  // a parcel could not be read on its rank: its successors mean nothing
    const auto guarded = [&](const auto& work) {
        if (error || is_broken) return;
        try {
            work();
        } catch (...) {
            error = std::current_exception();
        }
    };
    for (int owner = 0; owner < comm.size(); ++owner) {
        for (std::uint64_t number = 0; number < counts[owner]; ++number) {
            std::string parcel;
            if (comm.rank() == owner) guarded([&] { parcel = spool.read(number); });
            if (owner != 0) {
                auto received = comm.gather(parcel);
                if (comm.is_root()) parcel = std::move(received[owner]);
            }
            if (!comm.is_root()) continue;
            is_broken = is_broken || parcel.empty();
            guarded([&] { handle(parcel); });
        }
    }
    comm::agree(comm, error);
}

}  // namespace regrove::store
