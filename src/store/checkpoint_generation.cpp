// Each rank reads what it owns now, from whatever files hold it.
#include <algorithm>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/store/checkpoint.hpp"

#include "generation_state.hpp"
#include "shard_file_reader.hpp"

namespace regrove::store {

namespace {

/// A file's part of a dataset; null when it has none.
const DatasetFacts* part_of(const FileFacts& file, std::string_view dataset) {
    const auto found = std::ranges::find(file.datasets, dataset, &DatasetFacts::name);
    return found == file.datasets.end() ? nullptr : &*found;
}

bool overlap(ShardRange a, ShardRange b) { return a.begin < b.end && b.begin < a.end; }

}  // namespace

CheckpointGeneration::CheckpointGeneration(std::unique_ptr<State> state) : state_(std::move(state)) {}
CheckpointGeneration::~CheckpointGeneration() = default;

std::uint64_t CheckpointGeneration::number() const { return state_->manifest.number; }
std::uint64_t CheckpointGeneration::step() const { return state_->manifest.step; }
int CheckpointGeneration::ranks() const { return state_->manifest.ranks; }
std::string CheckpointGeneration::when() const { return state_->manifest.when; }

std::uint64_t CheckpointGeneration::records(std::string_view dataset) const {
    std::uint64_t records = 0;
    for (const auto& file : state_->manifest.files) {
        if (const auto* part = part_of(file, dataset)) records += part->records;
    }
    return records;
}

void CheckpointGeneration::read_bytes(std::string_view dataset, std::size_t record_bytes,
                                      const TakeBytes& take) const {
    const ShardRange own = shards_of_rank(state_->comm.rank(), state_->comm.size());
    comm::agree_on(state_->comm, [&] {
        for (const auto& file : state_->manifest.files) {
            const auto* part = part_of(file, dataset);
            if (part == nullptr || !overlap(part->shards, own)) continue;
            const std::string path = state_->folder + "/" + file.path;
            if (part->record_bytes != record_bytes) {
                throw FormatError("'" + path + "': records of '" + part->name + "' have " +
                                  std::to_string(part->record_bytes) + " bytes, not " + std::to_string(record_bytes));
            }
            ShardFileReader(path).read(*part, own, take);
        }
    });
}

std::optional<std::string> CheckpointGeneration::text(std::string_view name) const {
    const auto& files = state_->manifest.files;
    const auto holder =
        std::ranges::find_if(files, [&](const FileFacts& file) { return std::ranges::count(file.texts, name) > 0; });
    if (holder == files.end()) return std::nullopt;
    std::string bytes = comm::agree_on(state_->comm, [&] {
        return state_->comm.is_root() ? ShardFileReader(state_->folder + "/" + holder->path).text(name) : "";
    });
    state_->comm.broadcast(bytes);
    return bytes;
}

}  // namespace regrove::store
