// Every step ends in an agreement, so that all ranks come to the same end.
#include "generation_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <utility>

#include <sys/stat.h>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"
#include "regrove/core/version.hpp"

#include "checkpoint_verification.hpp"
#include "file_bytes.hpp"
#include "small_file.hpp"

namespace regrove::store {

namespace fs = std::filesystem;

namespace {

std::string now_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string file_name(int rank) {
    char text[32];
    std::snprintf(text, sizeof text, "rank-%04d.h5", rank);
    return text;
}

/// A name becomes part of a path within the file.
void require_plain(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    REGROVE_CHECK(!name.empty() && std::ranges::all_of(name, plain));
}

/// What a later generation still needs of a file: its appended datasets. nullopt when it has none.
std::optional<FileFacts> lasting_part(FileFacts file) {
    std::erase_if(file.datasets, [](const DatasetFacts& dataset) { return !dataset.appended; });
    file.texts.clear();
    if (file.datasets.empty()) return std::nullopt;
    return file;
}

/// Datasets of one name must be alike in all files of a generation.
void require_alike(const std::vector<FileFacts>& files) {
    std::vector<DatasetFacts> seen;
    for (const auto& file : files) {
        for (const auto& dataset : file.datasets) {
            const auto same = std::ranges::find(seen, dataset.name, &DatasetFacts::name);
            if (same == seen.end())
                seen.push_back(dataset);
            else
                REGROVE_CHECK(same->record_bytes == dataset.record_bytes && same->appended == dataset.appended);
        }
    }
}

}  // namespace

/// Remembers the first problem instead of throwing: the other ranks are not to be left alone.
template <class Work>
void GenerationWriter::attempt(const Work& work) {
    if (!problem_.empty()) return;
    try {
        return work();
    } catch (const StaleIncarnation& error) {
        is_stale_ = true;
        problem_ = error.what();
    } catch (const std::bad_alloc&) {
        problem_ = "out of memory";
    } catch (const std::exception& error) {
        problem_ = error.what();
    }
    file_.reset();
}

/// Whether no rank has a problem; if one has, it is everybody's. Throws StaleIncarnation on all ranks. Collective.
bool GenerationWriter::agree() {
    comm::Communicator& comm = session_->comm();
    problem_ = first_problem(comm, problem_);
    is_stale_ = comm.max(std::uint64_t{is_stale_}) != 0;
    if (is_stale_) throw StaleIncarnation(problem_);
    return problem_.empty();
}

GenerationWriter::GenerationWriter(std::shared_ptr<CheckpointSession> session, std::uint64_t step)
    : session_(std::move(session)),
      start_(std::chrono::steady_clock::now()),
      step_(step),
      number_(session_->next_number()),
      is_full_(session_->wants_all()),
      name_(generation_name(number_, session_->incarnation())) {
    if (session_->comm().is_root()) attempt([&] { make_folder(); });
    agree();
    attempt([&] { file_ = std::make_unique<ShardFileWriter>(path() + "/" + file_name(session_->comm().rank())); });
    session_->step("begun");
}

GenerationWriter::~GenerationWriter() {
    if (committed_) return;
    file_.reset();
    remove_all();
}

void GenerationWriter::make_folder() const {
    const LeaseLock lock(session_->place().folder);
    session_->lease().require_ours();
    if (mkdir(path().c_str(), 0777) != 0) throw io_error("create", path(), errno);
    sync_folder_of(path());
}

void GenerationWriter::add(const DatasetFacts& like, ShardId shard, std::span<const std::byte> records) {
    require_plain(like.name);
    attempt([&] { file_->add(like, shard, records); });
}

void GenerationWriter::add_text(std::string_view name, std::string_view bytes) {
    require_plain(name);
    if (session_->comm().is_root()) attempt([&] { file_->add_text(name, bytes); });
}

CommitOutcome GenerationWriter::commit(IfFailed if_failed) {
    comm::Communicator& comm = session_->comm();
    std::string line;
    attempt([&] { line = finish_own_file(); });
    session_->step("written");
    if (!agree()) return fail(if_failed);
    session_->step("agreed");
    const auto lines = comm.gather(line);
    if (comm.is_root()) attempt([&] { write_manifest(lines); });
    session_->step("manifest");
    if (comm.is_root()) attempt([&] { name_manifest(); });
    if (!agree()) return fail(if_failed);
    session_->step("named");
    verify();
    if (!problem_.empty()) return fail(if_failed);
    session_->step("verified");
    return succeed();
}

/// What the manifest is to say of this rank's file; empty when there is none.
std::string GenerationWriter::finish_own_file() {
    auto facts = file_->finish();
    if (!facts) return {};
    const std::string own = file_name(session_->comm().rank());
    facts->path = name_ + "/" + own;
    facts->bytes = fs::file_size(path() + "/" + own);
    facts->hash = hash_file(path() + "/" + own);
    return to_line(*facts);
}

Manifest GenerationWriter::make_manifest(const std::vector<std::string>& lines) const {
    Manifest made{session_->identity(), k_results_version,       number_,    step_, session_->comm().size(),
                  session_->epoch(),    session_->incarnation(), now_text(), 0,     {}};
    if (!is_full_) {
        const Manifest& last = session_->last().value();
        made.chain = last.chain + 1;
        for (const auto& file : last.files) {
            if (auto part = lasting_part(file)) made.files.push_back(std::move(*part));
        }
    }
    for (const auto& line : lines) {
        if (!line.empty()) made.files.push_back(parse_file_line(line));
    }
    require_alike(made.files);
    return made;
}

void GenerationWriter::write_manifest(const std::vector<std::string>& lines) {
    manifest_ = make_manifest(lines);
    const std::string missing = verify_sizes(session_->place().folder, manifest_.files);
    if (!missing.empty()) throw IoError(missing);
    temporary_manifest_ = write_temporary(path() + "/" + k_manifest_name, to_text(manifest_));
}

void GenerationWriter::name_manifest() const {
    const LeaseLock lock(session_->place().folder);
    session_->lease().require_ours();
    rename_durably(temporary_manifest_, path() + "/" + k_manifest_name);
}

/// Reads again what is new; what older generations wrote was read when it was new, or when this run began.
void GenerationWriter::verify() {
    comm::Communicator& comm = session_->comm();
    std::string text = comm.is_root() ? to_text(manifest_) : "";
    comm.broadcast(text);
    manifest_ = parse_manifest(text);
    const auto first_own = std::ranges::find_if(
        manifest_.files, [&](const FileFacts& file) { return file.path.starts_with(name_ + "/"); });
    problem_ = verify_files(comm, session_->place().folder, {first_own, manifest_.files.end()});
}

/// That surplus generations stay is no failure of the new one, unless somebody else is at work here now.
void GenerationWriter::drop_older() {
    if (session_->comm().is_root()) attempt([&] { session_->drop_surplus(); });
    if (!agree()) log::warning("older checkpoints could not be removed: " + problem_);
    session_->step("dropped");
}

CommitOutcome GenerationWriter::succeed() {
    committed_ = true;
    CommitOutcome outcome{true, {}, number_, 0, 0};
    for (const auto& file : manifest_.files) outcome.bytes += file.path.starts_with(name_ + "/") ? file.bytes : 0;
    session_->note_committed(manifest_);
    drop_older();
    outcome.seconds = seconds();
    return outcome;
}

/// The problem may be that somebody else has taken over and cleared this generation away.
void GenerationWriter::look_for_robber() {
    if (!session_->comm().is_root()) return;
    try {
        session_->lease().require_ours();
    } catch (const StaleIncarnation& error) {
        is_stale_ = true;
        problem_ = error.what();
    } catch (const Error& error) {
        log::debug(std::string("the lease cannot be read: ") + error.what());
    }
}

CommitOutcome GenerationWriter::fail(IfFailed if_failed) {
    file_.reset();
    look_for_robber();
    agree();
    remove_all();
    session_->note_failed(is_full_);
    const std::string message = "checkpoint " + std::to_string(number_) + " could not be written: " + problem_;
    if (if_failed == IfFailed::fail) throw IoError(message);
    log::warning(message + (session_->last() ? "; the one before stays" : "; there is none yet"));
    return {false, problem_, number_, 0, seconds()};
}

/// Of this generation: the manifest first, then this rank's file, then, on the root, the folder when it is empty.
void GenerationWriter::remove_all() {
    std::error_code ignored;
    if (session_->comm().is_root()) {
        fs::remove(path() + "/" + k_manifest_name, ignored);
        if (!temporary_manifest_.empty()) fs::remove(temporary_manifest_, ignored);
    }
    fs::remove(path() + "/" + file_name(session_->comm().rank()), ignored);
    if (session_->comm().is_root()) fs::remove(path(), ignored);
}

double GenerationWriter::seconds() const {
    double longest = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    session_->comm().max(std::span(&longest, 1));
    return longest;
}

}  // namespace regrove::store
