// Reading by owners; writing by merging what the ranks send with what the file holds, both in order of keys.
#include "regrove/pipeline/memo_file.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "regrove/comm/agreement.hpp"
#include "regrove/store/checkpoint_shard.hpp"
#include "regrove/store/memo_file.hpp"

namespace regrove::pipeline {

namespace {

using bornagain::Memo;
using bornagain::MemoEntry;
using store::MemoRecord;

/// Raised when keys or bounds change their meaning.
constexpr std::int64_t k_rules = 2;

MemoRecord record_of(const MemoEntry& entry) {
    return {entry.key.low, entry.key.high, entry.bounds.lower, entry.bounds.upper};
}

MemoEntry entry_of(const MemoRecord& record) {
    return {{record.key_low, record.key_high}, {record.lower, record.upper}};
}

/// Bounds that say nothing are not worth their place.
bool says_something(const MemoEntry& entry) {
    return entry.bounds.lower > 1 || entry.bounds.upper < bornagain::k_unbounded;
}

bool has_room(const Memo& memo, std::uint64_t memory_bytes) {
    return memory_bytes == 0 || memo.bytes() + memo.growth_bytes() <= memory_bytes;
}

/// What a symbolic link leads to, so that the file and not the link is replaced.
std::string resolved(const std::string& path) {
    std::error_code failed;
    if (!std::filesystem::is_symlink(path, failed)) return path;
    const auto target = std::filesystem::weakly_canonical(path, failed);
    return failed ? path : target.string();
}

/// A rank's entries of one shard, as bytes.
/// What this rank has to say of a shard: nothing where another one that shares the memo does.
std::string bytes_of(const Memo& memo, std::uint32_t shard) {
    std::string bytes;
    if (!memo.is_own_part(shard)) return bytes;
    memo.visit(shard, [&](const MemoEntry& entry) {
        if (!says_something(entry)) return;
        const MemoRecord record = record_of(entry);
        bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
    });
    return bytes;
}

/// All ranks' records in order of keys; of one key maybe several.
std::vector<MemoRecord> in_order(const std::vector<std::string>& of_ranks) {
    std::vector<MemoRecord> records;
    for (const std::string& bytes : of_ranks) {
        const std::size_t begin = records.size();
        records.resize(begin + bytes.size() / sizeof(MemoRecord));
        if (!bytes.empty()) std::memcpy(records.data() + begin, bytes.data(), bytes.size());
    }
    std::sort(records.begin(), records.end(), store::before);
    return records;
}

/// Writes records that come in order of keys, those of one key as one with the tightest bounds.
class Union {
  public:
    explicit Union(const std::string& path) : writer_(path, k_rules) {
        if (!std::filesystem::exists(path)) return;
        old_.emplace(path, k_rules);
        refill();
    }

    void add(const MemoRecord& record) {
        while (at_ < piece_.size() && store::before(piece_[at_], record)) take_old();
        put(record);
    }

    std::uint64_t commit() {
        while (at_ < piece_.size()) take_old();
        write_held();
        writer_.commit();
        return writer_.records();
    }

  private:
    void refill() {
        piece_ = old_->next();
        at_ = 0;
    }
    void take_old() {
        put(piece_[at_++]);
        if (at_ == piece_.size()) refill();
    }
    void put(const MemoRecord& record) {
        if (held_ && !store::before(*held_, record)) {
            held_->lower = std::max(held_->lower, record.lower);
            held_->upper = std::min(held_->upper, record.upper);
            return;
        }
        write_held();
        held_ = record;
    }
    void write_held() {
        if (held_) writer_.append(*held_);
        held_.reset();
    }

    store::MemoFileWriter writer_;
    std::optional<store::MemoFileReader> old_;
    std::vector<MemoRecord> piece_;
    std::size_t at_ = 0;
    std::optional<MemoRecord> held_;
};

}  // namespace

MemoEntries load_memo(comm::Communicator& comm, const std::string& path, Memo& memo, std::uint64_t memory_bytes) {
    std::uint64_t taken_up = 0;
    const std::uint64_t in_file = comm::agree_on(comm, [&]() -> std::uint64_t {
        if (!std::filesystem::exists(path)) return 0;
        store::MemoFileReader reader(path, k_rules);
        for (auto records = reader.next(); !records.empty(); records = reader.next())
            for (const MemoRecord& record : records) {
                const int owner = store::rank_of_shard(store::shard_of(record.key_high), comm.size());
                if (owner != comm.rank() || !has_room(memo, memory_bytes)) continue;
                const MemoEntry entry = entry_of(record);
                memo.tighten(entry.key, entry.bounds);
                ++taken_up;
            }
        return reader.records();
    });
    return {in_file, comm.sum(taken_up)};
}

std::uint64_t save_memo(comm::Communicator& comm, const std::string& path, const Memo& memo) {
    std::optional<Union> file;
    comm::agree_on(comm, [&] {
        if (comm.is_root()) file.emplace(resolved(path));
    });
    for (std::uint32_t shard = 0; shard < Memo::k_shards; ++shard) {
        const std::vector<std::string> of_ranks = comm.gather(bytes_of(memo, shard));
        comm::agree_on(comm, [&] {
            if (!file) return;
            for (const MemoRecord& record : in_order(of_ranks)) file->add(record);
        });
    }
    std::uint64_t records = 0;
    comm::agree_on(comm, [&] {
        if (file) records = file->commit();
    });
    return comm.max(records);
}

}  // namespace regrove::pipeline
