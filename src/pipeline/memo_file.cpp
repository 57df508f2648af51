#include "regrove/pipeline/memo_file.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/core/version.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/rank_text.hpp"
#include "regrove/store/checkpoint_shard.hpp"

namespace regrove::pipeline {

namespace {

using bornagain::Memo;
using bornagain::MemoEntry;

static_assert(std::endian::native == std::endian::little);

/// Raised when keys or bounds change their meaning.
constexpr int k_rules_version = 1;
constexpr std::uint64_t k_most_chunk_entries = std::uint64_t{1} << 32U;

std::string first_line() {
    return "regrove memo " + std::to_string(k_rules_version) + " results " + std::to_string(k_results_version) + "\n";
}

bool owns(const comm::Communicator& comm, const MemoEntry& entry) {
    return store::rank_of_shard(store::shard_of(entry.key.high), comm.size()) == comm.rank();
}

void append(std::string& bytes, const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
}

void append_hash(std::string& bytes) {
    const Hash128 hash = hash_bytes(bytes);
    append(bytes, &hash.low, sizeof hash.low);
    append(bytes, &hash.high, sizeof hash.high);
}

/// Empty when there is nothing to say.
std::string chunk_of(const std::vector<MemoEntry>& entries) {
    std::string bytes;
    if (entries.empty()) return bytes;
    const std::uint64_t count = entries.size();
    append(bytes, &count, sizeof count);
    append(bytes, entries.data(), entries.size() * sizeof(MemoEntry));
    append_hash(bytes);
    return bytes;
}

std::string last_chunk(std::uint64_t total) {
    const std::uint64_t none = 0;
    std::string bytes;
    append(bytes, &none, sizeof none);
    append(bytes, &total, sizeof total);
    append_hash(bytes);
    return bytes;
}

class MemoReader {
  public:
    explicit MemoReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
        if (!file_) throw io_error("read", path, errno);
        std::string line;
        std::getline(file_, line);
        if (line + "\n" != first_line())
            throw FormatError(path + ": this is no memo of this version of Regrove; name another file, or delete it");
    }

    /// The next entries; none at the end.
    std::vector<MemoEntry> next() {
        std::string bytes;
        const auto count = number(bytes);
        if (count > k_most_chunk_entries) damaged();
        if (count == 0 && number(bytes) != total_) damaged();
        std::vector<MemoEntry> entries(count);
        take(entries.data(), count * sizeof(MemoEntry));
        append(bytes, entries.data(), count * sizeof(MemoEntry));
        const Hash128 expected = hash_bytes(bytes);
        Hash128 found;
        take(&found.low, sizeof found.low);
        take(&found.high, sizeof found.high);
        if (!(found == expected)) damaged();
        if (count == 0 && file_.peek() != std::ifstream::traits_type::eof()) damaged();
        total_ += count;
        return entries;
    }
    std::uint64_t total() const { return total_; }

  private:
    [[noreturn]] void damaged() const { throw FormatError(path_ + ": the memo is damaged; delete it"); }

    void take(void* to, std::size_t size) {
        file_.read(static_cast<char*>(to), static_cast<std::streamsize>(size));
        if (static_cast<std::size_t>(file_.gcount()) != size) damaged();
    }
    std::uint64_t number(std::string& bytes) {
        std::uint64_t value = 0;
        take(&value, sizeof value);
        append(bytes, &value, sizeof value);
        return value;
    }

    std::string path_;
    std::ifstream file_;
    std::uint64_t total_ = 0;
};

}  // namespace

std::uint64_t load_memo(comm::Communicator& comm, const std::string& path, Memo& memo) {
    return comm::agree_on(comm, [&]() -> std::uint64_t {
        if (!std::filesystem::exists(path)) return 0;
        MemoReader reader(path);
        for (auto entries = reader.next(); !entries.empty(); entries = reader.next())
            for (const MemoEntry& entry : entries)
                if (owns(comm, entry)) memo.tighten(entry.key, entry.bounds);
        return reader.total();
    });
}

std::uint64_t save_memo(comm::Communicator& comm, const std::string& path, const Memo& memo) {
    std::unique_ptr<OutputFile> file;
    comm::agree_on(comm, [&] {
        if (!comm.is_root()) return;
        file = std::make_unique<OutputFile>(path, true);
        file->write(first_line());
    });
    std::uint64_t own = 0;
    for (std::uint32_t shard = 0; shard < Memo::k_shards; ++shard) {
        std::vector<MemoEntry> entries;
        memo.visit(shard, [&](const MemoEntry& entry) {
            if (owns(comm, entry)) entries.push_back(entry);
        });
        own += entries.size();
        write_in_rank_order(comm, chunk_of(entries), file.get());
    }
    const std::uint64_t total = comm.sum(own);
    comm::agree_on(comm, [&] {
        if (!file) return;
        file->write(last_chunk(total));
        file->commit();
    });
    return total;
}

}  // namespace regrove::pipeline
