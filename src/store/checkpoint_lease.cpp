// A small JSON file, replaced under a kernel lock.
#include "checkpoint_lease.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#include "regrove/core/log.hpp"

#include "small_file.hpp"

namespace regrove::store {

namespace {

using Json = nlohmann::ordered_json;

constexpr int k_patience_seconds = 60;

std::string lease_path(const std::string& folder) { return folder + "/lease.json"; }

std::string environment(const char* name, const char* otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : text;
}

std::string this_host() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// Clock ticks from the machine's start to the process's, which tells a process from a later one of the same number;
/// zero when there is no such process, or one that has ended and only waits to be collected.
std::uint64_t process_start(std::int64_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    const auto behind_name = text.rfind(')');
    if (behind_name == std::string::npos) return 0;
    std::istringstream fields(text.substr(behind_name + 1));
    std::string field;
    fields >> field;
    if (field == "Z" || field == "X") return 0;
    constexpr int k_fields_to_start = 19;  // from the state, which stands behind the name
    for (int i = 0; i < k_fields_to_start; ++i) fields >> field;
    return std::strtoull(field.c_str(), nullptr, 10);
}

struct Holder {
    std::string incarnation;
    std::uint64_t epoch = 0;
    std::string host;
    std::int64_t process = 0;
    std::uint64_t started = 0;
    std::string slurm_job;
    bool released = false;
};

/// nullopt when there is no lease, or none that can be read.
std::optional<Holder> read_holder(const std::string& folder) {
    try {
        const auto text = read_if_there(lease_path(folder));
        if (!text) return std::nullopt;
        const Json json = Json::parse(*text);
        return Holder{json.at("incarnation"), json.at("epoch"),     json.at("host"),    json.at("process"),
                      json.at("started"),     json.at("slurm_job"), json.at("released")};
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

void write_holder(const std::string& folder, const Holder& holder) {
    Json json;
    json["incarnation"] = holder.incarnation;
    json["epoch"] = holder.epoch;
    json["host"] = holder.host;
    json["process"] = holder.process;
    json["started"] = holder.started;
    json["slurm_job"] = holder.slurm_job;
    json["released"] = holder.released;
    replace_durably(lease_path(folder), json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string new_incarnation() {
    std::uint64_t nonce = 0;
    if (getrandom(&nonce, sizeof nonce, 0) != sizeof nonce)
        nonce = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(nonce));
    return environment("SLURM_JOB_ID", "local") + "-" + environment("SLURM_RESTART_COUNT", "0") + "-" + text;
}

bool is_alive(const Holder& holder) {
    return holder.host == this_host() && holder.process != getpid() && process_start(holder.process) != 0 &&
           process_start(holder.process) == holder.started;
}

bool is_same_job(const Holder& old) {
    const std::string job = environment("SLURM_JOB_ID", "");
    return !job.empty() && old.slurm_job == job;
}

/// A process that is being ended may take a moment; without the lock, as one that works on needs it.
void await_end_of_holder(const std::string& folder) {
    constexpr int k_tenths = 30;
    for (int i = 0; i < k_tenths; ++i) {
        const auto holder = read_holder(folder);
        if (!holder || holder->released || is_same_job(*holder) || !is_alive(*holder)) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

void take_from(const Holder& old, const std::string& folder) {
    if (old.released || is_same_job(old)) return;
    const std::string who = "process " + std::to_string(old.process) + " on host " + old.host;
    if (is_alive(old)) {
        throw IoError(ExitCode::cannot_create, "the checkpoints in '" + folder + "' are in use by " + who +
                                                   "; wait for it to end, or give another --checkpoint folder");
    }
    if (old.host != this_host()) {
        log::warning("taking over the checkpoints in '" + folder + "' from " + who +
                     ", which did not give them back; if it still runs, it will end at its next checkpoint");
    }
}

}  // namespace

LeaseLock::LeaseLock(const std::string& folder) : file_(folder + "/lease.lock", O_RDWR | O_CREAT, "write") {
    for (int tenths = 0; !file_.try_lock(); ++tenths) {
        if (tenths == 10 * k_patience_seconds) {
            throw IoError(ExitCode::cannot_create, "somebody else holds '" + folder + "/lease.lock' for more than " +
                                                       std::to_string(k_patience_seconds) + " seconds");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

Lease::Lease(std::string folder, std::uint64_t past_epoch)
    : folder_(std::move(folder)), incarnation_(new_incarnation()), epoch_(past_epoch + 1) {
    await_end_of_holder(folder_);
    const LeaseLock lock(folder_);
    if (const auto old = read_holder(folder_)) {
        take_from(*old, folder_);
        epoch_ = std::max(epoch_, old->epoch + 1);
    }
    write_holder(folder_, {incarnation_, epoch_, this_host(), getpid(), process_start(getpid()),
                           environment("SLURM_JOB_ID", ""), false});
}

Lease::~Lease() {
    try {
        const LeaseLock lock(folder_);
        auto holder = read_holder(folder_);
        if (!holder || holder->incarnation != incarnation_) return;
        holder->released = true;
        write_holder(folder_, *holder);
    } catch (const std::exception& error) {
        log::debug(std::string("the lease could not be given back: ") + error.what());
    }
}

void Lease::require_ours() const {
    const auto holder = read_holder(folder_);
    if (holder && holder->incarnation == incarnation_) return;
    const std::string who = holder ? "process " + std::to_string(holder->process) + " on host " + holder->host +
                                         " (incarnation " + holder->incarnation + ")"
                                   : "somebody who removed the lease";
    throw StaleIncarnation("the checkpoints in '" + folder_ + "' were taken over by " + who +
                           "; this process (incarnation " + incarnation_ + ") ends without writing any more");
}

std::string leaseholder(const std::string& folder) {
    const auto holder = read_holder(folder);
    return holder ? holder->incarnation : "";
}

}  // namespace regrove::store
