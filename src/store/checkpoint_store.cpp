// The public face: forwards to the session and to the writer of a generation.
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/log.hpp"
#include "regrove/store/checkpoint.hpp"

#include "checkpoint_session.hpp"
#include "generation_state.hpp"
#include "generation_writer.hpp"

namespace regrove::store {

struct CheckpointStore::State {
    std::shared_ptr<CheckpointSession> session;
    std::unique_ptr<CheckpointGeneration> resumed;
};

struct CheckpointWriter::State {
    GenerationWriter writer;
    State(std::shared_ptr<CheckpointSession> session, std::uint64_t step) : writer(std::move(session), step) {}
};

CheckpointStore::CheckpointStore(comm::Communicator& comm, CheckpointPlace place, CheckpointIdentity identity)
    : state_(std::make_unique<State>()) {
    REGROVE_CHECK(place.keep >= 1 && place.chain >= 1);
    REGROVE_CHECK(comm.size() <= static_cast<int>(k_shards));
    state_->session = std::make_shared<CheckpointSession>(comm, std::move(place), std::move(identity));
    if (const auto& last = state_->session->last()) {
        auto state = std::make_unique<CheckpointGeneration::State>(
            CheckpointGeneration::State{comm, state_->session->place().folder, *last});
        state_->resumed.reset(new CheckpointGeneration(std::move(state)));
        log::info("going on from checkpoint " + std::to_string(last->number) + " of " + last->when + " (step " +
                  std::to_string(last->step) + ")");
    }
}

CheckpointStore::~CheckpointStore() = default;

const CheckpointGeneration* CheckpointStore::resumed() const { return state_->resumed.get(); }

const std::string& CheckpointStore::incarnation() const { return state_->session->incarnation(); }

CheckpointWriter CheckpointStore::begin(std::uint64_t step) {
    return CheckpointWriter(std::make_unique<CheckpointWriter::State>(state_->session, step));
}

CheckpointWriter::CheckpointWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
CheckpointWriter::CheckpointWriter(CheckpointWriter&&) noexcept = default;
CheckpointWriter& CheckpointWriter::operator=(CheckpointWriter&&) noexcept = default;
CheckpointWriter::~CheckpointWriter() = default;

std::uint64_t CheckpointWriter::generation() const { return state_->writer.number(); }

bool CheckpointWriter::wants_all() const { return state_->writer.is_full(); }

void CheckpointWriter::add(std::string_view dataset, Growth growth, std::size_t record_bytes, ShardId shard,
                           std::span<const std::byte> records) {
    const DatasetFacts like{std::string(dataset), growth == Growth::appended, record_bytes, 0, {}};
    state_->writer.add(like, shard, records);
}

void CheckpointWriter::put_text(std::string_view name, std::string_view bytes) {
    state_->writer.add_text(name, bytes);
}

CommitOutcome CheckpointWriter::commit(IfFailed if_failed) { return state_->writer.commit(if_failed); }

}  // namespace regrove::store
