// Text that all ranks made, written to one file in rank order.
#pragma once

#include <cstddef>
#include <string_view>

#include "regrove/comm/communicator.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::pipeline {

constexpr std::size_t k_rank_text_piece_bytes = std::size_t{16} << 20U;

/// Writes every rank's text, in rank order, to the root's file (null on other ranks). Pieces of at most `piece_bytes`
/// travel to the root one at a time, so it holds no more than that of the others' text. Collective; errors are
/// agreed.
void write_in_rank_order(comm::Communicator& comm, std::string_view own_text, OutputFile* file,
                         std::size_t piece_bytes = k_rank_text_piece_bytes);

}  // namespace regrove::pipeline
