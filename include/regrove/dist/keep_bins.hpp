// Bins a table chunk by chunk into a file, from which boosting is trained.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/chunk_source.hpp"
#include "regrove/dist/streamed_boundaries.hpp"

namespace regrove::dist {

struct KeptBins {
    std::uint64_t rows = 0;
    std::size_t features = 0;
    std::uint64_t bins = 0;           ///< of all features
    std::size_t exact_features = 0;   ///< numeric ones with a bin for each value, and categories
    std::uint64_t quantile_rows = 0;  ///< that the others' boundaries were taken from
    std::string table_hash;
};

/// Goes through the source twice: boundaries, then codes. Collective; throws InputError, LimitError and IoError, agreed.
KeptBins keep_bins(comm::Communicator& comm, ChunkSource& source, const std::string& path,
                   const StreamedBinning& options);

}  // namespace regrove::dist
