#include "regrove/pipeline/handshake.hpp"

#include <map>

#include <nlohmann/json.hpp>

#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"

namespace regrove::pipeline {

namespace {

Hash128 hash_of(const StartFacts& facts) {
    Hasher hasher;
    for (const auto& [name, text] : facts) {
        hasher.update_field(name);
        hasher.update_field(text);
    }
    return hasher.digest();
}

std::string shown(const std::map<std::string, std::string>& facts, const std::string& name) {
    const auto found = facts.find(name);
    return found == facts.end() ? "without " + name : "with " + name + " '" + found->second + "'";
}

/// Names the first fact in which `other` differs from `first`, in the order of either list.
std::string difference(const StartFacts& first, const StartFacts& other, int rank) {
    const std::map<std::string, std::string> a(first.begin(), first.end());
    const std::map<std::string, std::string> b(other.begin(), other.end());
    StartFacts all = first;
    all.insert(all.end(), other.begin(), other.end());
    for (const auto& fact : all) {
        const auto& name = fact.first;
        if (shown(a, name) == shown(b, name)) continue;
        return "rank " + std::to_string(rank) + " was started " + shown(b, name) + ", rank 0 " + shown(a, name);
    }
    return "rank " + std::to_string(rank) + " lists its options in another order than rank 0";
}

}  // namespace

void require_same_start(comm::Communicator& comm, const StartFacts& facts) {
    if (comm.size() == 1) return;
    const auto hashes = comm.gather_all(hash_of(facts));
    int differs = 0;
    while (differs < comm.size() && hashes[differs] == hashes[0]) ++differs;
    if (differs == comm.size()) return;
    const auto texts =
        comm.gather_all(nlohmann::json(facts).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    const auto facts_of = [&](int rank) { return nlohmann::json::parse(texts[rank]).get<StartFacts>(); };
    throw ConfigError(difference(facts_of(0), facts_of(differs), differs) + "; start all ranks the same way");
}

}  // namespace regrove::pipeline
