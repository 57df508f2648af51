// The bad rows of all ranks on rank 0, in file order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/ingest_table.hpp"

namespace regrove::dist {

/// More rejected text than this means that the options do not suit the file.
constexpr std::uint64_t k_most_rejected_bytes = std::uint64_t{64} << 20U;

/// A rank's bad rows as they stood, and where and why for the first few.
class Rejects {
  public:
    /// Throws InputError once the rows of this rank take more than k_most_rejected_bytes.
    void add(const TextPosition& position, const std::string& reason, const std::string& row);
    /// Collective. Fills in the report's rows; leaves nothing here.
    void report(comm::Communicator& comm, IngestReport& report);

  private:
    std::vector<std::string> listed_;
    std::string text_;
};

}  // namespace regrove::dist
