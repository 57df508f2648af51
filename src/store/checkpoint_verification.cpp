// Sizes first, as they are cheap; then hashes; then the shapes that the manifest lists.
#include "checkpoint_verification.hpp"

#include <exception>
#include <filesystem>

#include <fcntl.h>

#include "file_bytes.hpp"
#include "shard_file_reader.hpp"

namespace regrove::store {

namespace {

std::string wrong_size(const std::string& path, std::uint64_t wanted) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    if (error) return "'" + path + "': " + error.message();
    if (bytes == wanted) return {};
    return "'" + path + "' has " + std::to_string(bytes) + " bytes instead of " + std::to_string(wanted);
}

std::string problem_of(const std::string& folder, const FileFacts& file) {
    const std::string path = folder + "/" + file.path;
    if (auto wrong = wrong_size(path, file.bytes); !wrong.empty()) return wrong;
    try {
        OpenFile(path, O_RDONLY, "read").forget_copies();
        if (hash_file(path) != file.hash) return "'" + path + "' is damaged: its hash is wrong";
        ShardFileReader(path).require(file);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

}  // namespace

std::string first_problem(comm::Communicator& comm, const std::string& own) {
    if (comm.max(std::uint64_t{!own.empty()}) == 0) return {};
    for (auto& text : comm.gather_all(own)) {
        if (!text.empty()) return text;
    }
    return {};
}

std::string verify_files(comm::Communicator& comm, const std::string& folder, std::span<const FileFacts> files) {
    const auto size = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    std::string problem;
    for (std::size_t i = 0; i < files.size() && problem.empty(); ++i) {
        if ((i + 1) % size == rank) problem = problem_of(folder, files[i]);
    }
    return first_problem(comm, problem);
}

std::string verify_sizes(const std::string& folder, std::span<const FileFacts> files) {
    for (const auto& file : files) {
        if (auto wrong = wrong_size(folder + "/" + file.path, file.bytes); !wrong.empty()) return wrong;
    }
    return {};
}

}  // namespace regrove::store
