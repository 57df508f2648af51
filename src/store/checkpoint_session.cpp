// Looks before it takes the lease, so that a run that is refused disturbs nobody.
#include "checkpoint_session.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"
#include "regrove/core/version.hpp"

#include "checkpoint_verification.hpp"

namespace regrove::store {

namespace {

std::string in_folder(const std::string& folder) { return " in '" + folder + "'"; }

std::string count_text(std::size_t count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::uint64_t appended_records(const FileFacts& file) {
    std::uint64_t records = 0;
    for (const auto& dataset : file.datasets) records += dataset.appended ? dataset.records : 0;
    return records;
}

/// Whether more has been appended since the generation written in full than that one holds.
bool has_doubled(const Manifest& manifest) {
    std::uint64_t base = 0;
    std::uint64_t since = 0;
    const auto generation_of = [](const FileFacts& file) { return file.path.substr(0, file.path.find('/')); };
    for (const auto& file : manifest.files) {
        const bool oldest = generation_of(file) == generation_of(manifest.files.front());
        (oldest ? base : since) += appended_records(file);
    }
    return since > base;
}

void create_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw io_error("create", folder, error.value());
}

}  // namespace

CheckpointSession::CheckpointSession(comm::Communicator& comm, CheckpointPlace place, CheckpointIdentity identity)
    : comm_(comm), place_(std::move(place)), identity_(storable(identity)) {
    comm::agree_on(comm_, [&] {
        if (comm_.is_root()) look_and_take();
    });
    comm_.broadcast(incarnation_);
    std::vector<std::uint64_t> numbers{epoch_, last_number_};
    comm_.broadcast(numbers);
    epoch_ = numbers[0];
    last_number_ = numbers[1];
    comm::agree_on(comm_, [&] { require_shared_folder(); });
    choose();
}

void CheckpointSession::look_and_take() {
    if (place_.folder.empty()) throw ConfigError("the name of the checkpoint folder is empty");
    decide(read_folder(place_.folder));
    create_folder(place_.folder);
    lease_ = std::make_unique<Lease>(place_.folder, read_folder(place_.folder).last_epoch);
    incarnation_ = lease_->incarnation();
    epoch_ = lease_->epoch();
    const LeaseLock lock(place_.folder);
    lease_->require_ours();
    found_ = read_folder(place_.folder);
    decide(found_);
    last_number_ = found_.last_number;
    clean(found_);
}

/// Throws when the run may not go on with what is there.
void CheckpointSession::decide(const FolderContents& contents) const {
    const std::size_t count = contents.generations.size();
    if (count == 0 && place_.resume == ResumeMode::require) {
        throw Error(ExitCode::no_checkpoint, "there is no checkpoint" + in_folder(place_.folder) + " to go on from" +
                                                 (contents.incomplete.empty() ? "" : " (only unfinished ones)"));
    }
    if (place_.resume == ResumeMode::never) {
        if (count == 0 || place_.overwrite) return;
        throw IoError(ExitCode::cannot_create, "there are checkpoints" + in_folder(place_.folder) +
                                                   " already: go on from them with --resume auto, give another "
                                                   "folder, or drop them with --overwrite");
    }
    if (place_.drop_other && place_.resume == ResumeMode::automatic) return;
    for (const auto& generation : contents.generations) {
        if (generation.manifest) return require_same_identity(*generation.manifest);
    }
}

/// Whether what is there is to go; decide() has allowed it.
bool CheckpointSession::starts_anew(const FolderContents& contents) const {
    if (contents.generations.empty()) return false;
    if (place_.resume == ResumeMode::never) {
        log::warning("dropping " + count_text(contents.generations.size(), "checkpoint") + in_folder(place_.folder) +
                     ", as --overwrite asks");
        return true;
    }
    try {
        for (const auto& generation : contents.generations) {
            if (generation.manifest) require_same_identity(*generation.manifest);
        }
        return false;
    } catch (const Error& error) {
        log::warning(std::string("dropping what is there and starting from the beginning: ") + error.what());
        return true;
    }
}

void CheckpointSession::require_same_identity(const Manifest& manifest) const {
    const std::string where = "the checkpoint" + in_folder(place_.folder) + " is of another run: ";
    const std::string advice = "; give another --checkpoint folder, or drop it with --resume never --overwrite";
    const IdentityDifference differs = difference(identity_, manifest.identity);
    if (!differs.text.empty() && differs.of_inputs) throw InputError(where + differs.text + advice);
    if (!differs.text.empty()) throw ConfigError(where + differs.text + advice);
    if (manifest.results_version != k_results_version) {
        throw ConfigError(where + "this program has results version " + std::to_string(k_results_version) +
                          ", in the checkpoint " + std::to_string(manifest.results_version) + advice);
    }
}

/// What a killed process has left, and what the person wants gone.
void CheckpointSession::clean(const FolderContents& contents) {
    std::set<std::string> kept;
    if (contents.generations.empty() && !contents.incomplete.empty()) {
        log::warning("the checkpoints" + in_folder(place_.folder) + " (" +
                     count_text(contents.incomplete.size(), "folder") +
                     ") were never finished; starting from the beginning");
    }
    if (starts_anew(contents))
        found_.generations.clear();
    else
        for (const auto& generation : contents.generations) kept.insert(generation.name);
    remove_generations(place_.folder, kept);
}

void CheckpointSession::require_shared_folder() const {
    if (leaseholder(place_.folder) == incarnation_) return;
    throw IoError("the checkpoint folder '" + place_.folder + "' is not the same for all ranks, or another run has " +
                  "just taken it; it must lie on a file system that all hosts share");
}

/// The newest generation that is whole.
void CheckpointSession::choose() {
    std::uint64_t count = found_.generations.size();
    count = comm_.max(comm_.is_root() ? count : 0);
    std::string problems;
    for (std::uint64_t i = 0; i < count && !last_; ++i) {
        FoundGeneration none;
        FoundGeneration& candidate = comm_.is_root() ? found_.generations[i] : none;
        comm_.broadcast(candidate.name);
        const std::string problem = why_not(candidate);
        if (problem.empty()) {
            if (i > 0) log::warning("GOING ON FROM AN OLDER CHECKPOINT, '" + candidate.name + "'");
            last_ = std::move(candidate.manifest);
            break;
        }
        log::warning("checkpoint '" + candidate.name + "' cannot be used: " + problem);
        problems += "\n  " + candidate.name + ": " + problem;
        damaged_.insert(candidate.name);
    }
    if (count > 0 && !last_) {
        throw FormatError("all checkpoints" + in_folder(place_.folder) + " are damaged:" + problems +
                          "\nto start from the beginning, give --resume never --overwrite");
    }
    found_ = {};
}

/// Why a candidate cannot be gone on from; empty when it can. Puts its manifest on every rank.
std::string CheckpointSession::why_not(FoundGeneration& candidate) {
    comm_.broadcast(candidate.damage);
    if (!candidate.damage.empty()) return candidate.damage;
    std::string text = candidate.manifest ? to_text(*candidate.manifest) : "";
    comm_.broadcast(text);
    candidate.manifest = parse_manifest(text);
    require_same_identity(*candidate.manifest);
    return verify_files(comm_, place_.folder, candidate.manifest->files);
}

bool CheckpointSession::wants_all() const {
    if (!last_) return true;
    return !full_failed_ && (last_->chain + 1 >= place_.chain || has_doubled(*last_));
}

void CheckpointSession::note_committed(Manifest manifest) {
    last_ = std::move(manifest);
    full_failed_ = false;
}

/// A disk too full for all records may have room for the new ones.
void CheckpointSession::note_failed(bool was_full) { full_failed_ = was_full && last_.has_value(); }

void CheckpointSession::drop_surplus() const {
    const LeaseLock lock(place_.folder);
    lease_->require_ours();
    std::set<std::string> kept;
    for (const auto& generation : read_folder(place_.folder).generations) {
        if (kept.size() < place_.keep && generation.manifest && !damaged_.contains(generation.name))
            kept.insert(generation.name);
    }
    remove_generations(place_.folder, kept);
}

}  // namespace regrove::store
