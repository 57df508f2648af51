// Deals the bytes of text files over the ranks, in file order, so that every part begins with a record.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/ingest/byte_source.hpp"
#include "regrove/ingest/text_layout.hpp"

namespace regrove::dist {

/// Consecutive whole records of one file. A compressed file is one part, since nobody can enter it in the middle.
struct FilePart {
    std::uint64_t file = 0;  ///< index in the layout
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  ///< of plain files
    std::uint64_t first_line = 1;
};

/// This rank's parts. Rank r's parts come before those of rank r + 1; each rank gets about the same number of stored
/// bytes. Collective: ranks scan their byte ranges for quotes under both hypotheses, and the summaries of the ranks
/// before decide (ingest/quote_summary.hpp). O(bytes / ranks) and O(files + ranks) sent.
std::vector<FilePart> deal_parts(comm::Communicator& comm, const ingest::TextLayout& layout);

/// The same for text in which every line end ends a record: nothing is scanned, and first lines stay to be found.
std::vector<FilePart> deal_lines(comm::Communicator& comm, const ingest::TextLayout& layout);

/// The part's bytes.
std::unique_ptr<ingest::ByteSource> open_part(const ingest::TextLayout& layout, const FilePart& part);

/// Bytes that the part takes in its file, for progress.
std::uint64_t stored_bytes(const ingest::TextLayout& layout, const FilePart& part);

}  // namespace regrove::dist
