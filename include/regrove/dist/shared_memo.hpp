// A born-again search on all ranks: each searches the whole region, owners keep what all should know.
//
// The owner of a state is the rank of its key's logical shard. A search leaves larger states that others own for last
// and notes them. In an epoch, some tens of milliseconds, every rank tells all others its news, what it has newly proven
// (the hardest states, up to k_most_news), and what is beyond that to the owners only; what it noted it asks the owners,
// who answer with what they know. So a rank's memo holds what it has proven, what it owns, what it asked for and the
// news: the same small states are met below many large ones, and without news every rank would solve them again.
// Cost of an epoch a rank: one gather and three exchanges (ranks - 1 messages each at most), 24 bytes times the ranks
// for each piece of news, 24 for each other change and each answer, 16 for each question (at most k_most_questions).
// Ranks of one host share their memo (dist/host_memo.hpp) and work like threads: where all do, an epoch sends nothing but
// a maximum, by which they stop together.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/host_memo.hpp"

namespace regrove::dist {

/// What the ranks do together between epochs; true ends the search. Collective: called equally often on all ranks.
using SafePointHook = std::function<bool()>;

class SharedMemo {
  public:
    static constexpr std::size_t k_most_questions = std::size_t{1} << 14U;
    static constexpr std::size_t k_most_news = std::size_t{1} << 14U;

    /// All must outlive it. The memo's changes are kept for exchange, and for take_unsaved() if `keep_unsaved`.
    SharedMemo(comm::Communicator& comm, HostMemo& host, bool keep_unsaved, SafePointHook safe_point);

    /// The hooks of a search on this rank.
    bornagain::SearchHooks hooks();
    /// What this rank has proven since the last call.
    std::vector<bornagain::MemoEntry> take_unsaved();
    std::uint64_t epochs() const { return epochs_; }

  private:
    enum class Request : std::uint64_t { fetch, safe_point, made, failed };

    void begin_stage(const bornagain::StateKey& root);
    void end_stage(bool wants_end);
    bool is_time();
    /// One epoch; true when the stage or the search ends.
    bool epoch(bool wants_end);
    void send_changes();
    void ask_owners(const std::vector<bornagain::StateKey>& keys);
    int owner(const bornagain::StateKey& key) const;
    bool note_if_elsewhere(const bornagain::StateKey& key);
    bornagain::CellTree make_tree(const std::function<bornagain::CellTree()>& make,
                                  const std::function<void()>& help);
    void help_root(const std::function<void()>& help);
    bool help_ends();
    void serve_once();
    bool knows_root() const;
    Request announce(Request request);

    comm::Communicator& comm_;
    HostMemo& host_;
    bornagain::Memo& memo_;
    bool keep_unsaved_;
    SafePointHook safe_point_;
    bornagain::StateKey root_;
    bool stage_over_ = false;
    bool search_over_ = false;
    bool makes_tree_ = false;
    bool helps_ = false;       ///< the root, which makes the tree
    bool is_serving_ = false;  ///< what the root asked for
    bool tree_is_made_ = false;
    std::uint64_t served_ = 0;  ///< requests of the root so far
    std::uint64_t epochs_ = 0;
    double epoch_seconds_ = 0;
    double next_epoch_ = 0;
    std::mutex noting_;
    std::vector<bornagain::StateKey> noted_;
    std::vector<bornagain::MemoEntry> unsaved_;
    std::vector<bornagain::MemoEntry> unsent_;  ///< taken to be saved, between two epochs
};

}  // namespace regrove::dist
