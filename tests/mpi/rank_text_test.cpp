// The text of all ranks in one file: in rank order, in pieces smaller than a rank's text, and errors on all ranks.
#include "regrove/pipeline/rank_text.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "regrove/core/error.hpp"

#include "support/mpi_world.hpp"

namespace regrove::pipeline {
namespace {

/// Rank r's text: r * 7 lines (none on rank 0), so that lengths differ and pieces end within lines.
std::string text_of(int rank) {
    std::string text;
    for (int line = 0; line < rank * 7; ++line)
        text += "rank " + std::to_string(rank) + " line " + std::to_string(line) + "\n";
    return text;
}

std::string shared_path(comm::Communicator& comm, const std::string& name) {
    std::string path;
    if (comm.is_root())
        path = (std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()))).string();
    comm.broadcast(path);
    return path;
}

TEST(RankText, InRankOrderInSmallPieces) {
    comm::Communicator& comm = test::world();
    const std::string path = shared_path(comm, "regrove-rank-text-");
    std::optional<OutputFile> file;
    if (comm.is_root()) {
        file.emplace(path, false);
        file->write("head\n");
    }
    write_in_rank_order(comm, text_of(comm.rank()), file ? &*file : nullptr, 10);
    if (!comm.is_root()) return;
    file->commit();
    std::string expected = "head\n";
    for (int rank = 0; rank < comm.size(); ++rank) expected += text_of(rank);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(text.str(), expected);
    std::filesystem::remove(path);
}

TEST(RankText, AFullDiskIsAnErrorOnAllRanks) {
    comm::Communicator& comm = test::world();
    if (!std::filesystem::exists("/dev/full")) return;
    std::optional<OutputFile> file;
    if (comm.is_root()) file.emplace("/dev/full", true);
    const std::string own(std::size_t{1} << 20U, 'x');
    EXPECT_THROW(write_in_rank_order(comm, own, file ? &*file : nullptr), Error);
}

}  // namespace
}  // namespace regrove::pipeline
