// Rounds in which one rank sends and the root writes.
#include "regrove/pipeline/rank_text.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/agreement.hpp"

namespace regrove::pipeline {

void write_in_rank_order(comm::Communicator& comm, std::string_view own_text, OutputFile* file,
                         std::size_t piece_bytes) {
    const std::uint64_t own_pieces = (own_text.size() + piece_bytes - 1) / piece_bytes;
    const std::vector<std::uint64_t> pieces = comm.gather_all(own_pieces);
    for (int sender = 0; sender < comm.size(); ++sender)
        for (std::uint64_t piece = 0; piece < pieces[static_cast<std::size_t>(sender)]; ++piece) {
            const bool sends = sender == comm.rank();
            const auto received =
                comm.gather(sends ? std::string(own_text.substr(piece * piece_bytes, piece_bytes)) : std::string());
            comm::agree_on(comm, [&] {
                if (file == nullptr) return;
                for (const std::string& text : received) file->write(text);
            });
        }
}

}  // namespace regrove::pipeline
