#include "regrove/dist/shared_memo.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/store/checkpoint_shard.hpp"

namespace regrove::dist {

namespace {

using bornagain::CellTree;
using bornagain::MemoEntry;
using bornagain::StateBounds;
using bornagain::StateKey;

/// The first epochs are short, since small searches end soon; later ones grow, since news ages more slowly.
constexpr double k_first_epoch_seconds = 0.002;
constexpr double k_longest_epoch_seconds = 0.02;
constexpr double k_epoch_growth = 1.2;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

bool before(const StateKey& a, const StateKey& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

/// Values by the rank that `rank_of` names, in the order of ranks.
template <class T, class RankOf>
comm::Pieces<T> by_rank(const std::vector<T>& values, int ranks, RankOf rank_of) {
    comm::Pieces<T> pieces;
    pieces.counts.assign(static_cast<std::size_t>(ranks), 0);
    for (const T& value : values) ++pieces.counts[static_cast<std::size_t>(rank_of(value))];
    std::vector<std::size_t> next(static_cast<std::size_t>(ranks), 0);
    for (std::size_t r = 1; r < next.size(); ++r) next[r] = next[r - 1] + pieces.counts[r - 1];
    pieces.values.resize(values.size());
    for (const T& value : values) pieces.values[next[static_cast<std::size_t>(rank_of(value))]++] = value;
    return pieces;
}

}  // namespace

SharedMemo::SharedMemo(comm::Communicator& comm, HostMemo& host, bool keep_unsaved, SafePointHook safe_point)
    : comm_(comm), host_(host), memo_(host.memo()), keep_unsaved_(keep_unsaved), safe_point_(std::move(safe_point)) {
    memo_.record_changes(!host.is_everyone_here() || keep_unsaved);
}

bornagain::SearchHooks SharedMemo::hooks() {
    bornagain::SearchHooks hooks;
    hooks.stage_begins = [this](const StateKey& root) { begin_stage(root); };
    hooks.stage_ends = [this](bool wants_end) { end_stage(wants_end); };
    hooks.ends = [this](bool wants_end) {
        if (helps_) return help_ends() || wants_end;
        if (stage_over_ && !makes_tree_) return true;  // the others know it too
        if (makes_tree_ && wants_end) return true;     // the others wait for the root
        if (!is_time() && !wants_end) return false;
        if (makes_tree_) {
            announce(Request::safe_point);
            search_over_ = safe_point_() || search_over_;
        }
        const bool over = makes_tree_ ? search_over_ : epoch(wants_end);
        // From its end: what an epoch takes on a busy machine, and a checkpoint, is no time to search.
        next_epoch_ = now() + epoch_seconds_;
        return over;
    };
    hooks.make_tree = [this](const std::function<CellTree()>& make, const std::function<void()>& help) {
        return make_tree(make, help);
    };
    hooks.process = static_cast<std::uint32_t>(comm_.rank());
    hooks.processes = static_cast<std::uint32_t>(comm_.size());
    hooks.stacks = host_.stacks();
    hooks.first_stack = host_.first_stack();
    if (host_.is_everyone_here()) return hooks;
    hooks.is_elsewhere = [this](const StateKey& key) { return note_if_elsewhere(key); };
    hooks.prefetch = [this](const std::vector<StateKey>& keys) {
        if (!makes_tree_) return;
        announce(Request::fetch);
        ask_owners(keys);
    };
    return hooks;
}

bool SharedMemo::is_time() {
    const bool is_root_solved = host_.is_everyone_here() && comm_.size() > 1 && !makes_tree_ && knows_root();
    if (now() < next_epoch_ && !is_root_solved) return false;
    epoch_seconds_ = std::clamp(epoch_seconds_ * k_epoch_growth, k_first_epoch_seconds, k_longest_epoch_seconds);
    return true;
}

bool SharedMemo::knows_root() const {
    StateBounds root;
    return memo_.find(root_, root) && root.solved();
}

void SharedMemo::begin_stage(const StateKey& root) {
    root_ = root;
    stage_over_ = search_over_;
    noted_.clear();
    if (!host_.is_everyone_here() && !search_over_) ask_owners({root});
}

/// A rank that solved the root tells the others, who learn it in the epoch that they are in or come to.
void SharedMemo::end_stage(bool wants_end) {
    while (!stage_over_) epoch(wants_end);
}

bool SharedMemo::epoch(bool wants_end) {
    ++epochs_;
    send_changes();
    std::vector<StateKey> questions;
    {
        const std::lock_guard hold(noting_);
        questions.swap(noted_);
    }
    std::sort(questions.begin(), questions.end(), before);
    questions.erase(std::unique(questions.begin(), questions.end()), questions.end());
    if (!host_.is_everyone_here()) ask_owners(questions);
    StateBounds root;
    memo_.find(root_, root);
    std::vector<std::uint64_t> all{root.lower, ~std::uint64_t{root.upper}, wants_end ? 1U : 0U};
    comm_.max(std::span(all));
    // What all ranks have seen decides, not what a thread may have proven since.
    root = {static_cast<std::uint32_t>(all[0]), static_cast<std::uint32_t>(~all[1])};
    memo_.tighten(root_, root);
    search_over_ = safe_point_() || all[2] != 0 || search_over_;
    stage_over_ = search_over_ || root.solved();
    return stage_over_;
}

int SharedMemo::owner(const StateKey& key) const {
    return store::rank_of_shard(store::shard_of(key.high), comm_.size());
}

bool SharedMemo::note_if_elsewhere(const StateKey& key) {
    if (host_.is_here(owner(key))) return false;
    const std::lock_guard hold(noting_);
    if (noted_.size() < k_most_questions) noted_.push_back(key);
    return true;
}

void SharedMemo::send_changes() {
    std::vector<MemoEntry> changes = memo_.take_changes();
    if (keep_unsaved_) unsaved_.insert(unsaved_.end(), changes.begin(), changes.end());
    if (host_.is_everyone_here()) return;
    changes.insert(changes.end(), unsent_.begin(), unsent_.end());
    unsent_.clear();
    std::vector<MemoEntry> of_others;
    if (changes.size() > k_most_news) {
        const auto last = changes.begin() + static_cast<std::ptrdiff_t>(k_most_news);
        std::nth_element(changes.begin(), last, changes.end(),
                         [](const MemoEntry& a, const MemoEntry& b) { return a.bounds.lower > b.bounds.lower; });
        std::copy_if(last, changes.end(), std::back_inserter(of_others),
                     [&](const MemoEntry& entry) { return !host_.is_here(owner(entry.key)); });
        changes.resize(k_most_news);
    }
    for (const MemoEntry& news : comm_.gather_all(std::span<const MemoEntry>(changes)))
        memo_.tighten(news.key, news.bounds);
    const auto received =
        comm_.exchange(by_rank(of_others, comm_.size(), [this](const MemoEntry& entry) { return owner(entry.key); }));
    for (const MemoEntry& entry : received.values) memo_.tighten(entry.key, entry.bounds);
}

/// Collective: every rank's questions are answered by the owners.
void SharedMemo::ask_owners(const std::vector<StateKey>& keys) {
    const auto questions =
        comm_.exchange(by_rank(keys, comm_.size(), [this](const StateKey& key) { return owner(key); }));
    comm::Pieces<MemoEntry> answers;
    std::size_t next = 0;
    for (const std::uint64_t count : questions.counts) {
        const std::size_t end = next + count;
        const std::size_t before_rank = answers.values.size();
        for (; next < end; ++next) {
            MemoEntry answer{questions.values[next], {}};
            if (memo_.find(answer.key, answer.bounds)) answers.values.push_back(answer);
        }
        answers.counts.push_back(answers.values.size() - before_rank);
    }
    for (const MemoEntry& entry : comm_.exchange(answers).values) memo_.tighten(entry.key, entry.bounds);
}

std::vector<MemoEntry> SharedMemo::take_unsaved() {
    const std::vector<MemoEntry> changes = memo_.take_changes();
    unsaved_.insert(unsaved_.end(), changes.begin(), changes.end());
    if (!host_.is_everyone_here()) unsent_.insert(unsent_.end(), changes.begin(), changes.end());
    return std::exchange(unsaved_, {});
}

/// Ranks that share the root's memo are busy: they come when they see the call.
SharedMemo::Request SharedMemo::announce(Request request) {
    if (comm_.is_root() && host_.calls() != nullptr) host_.calls()->fetch_add(1, std::memory_order_release);
    std::vector<std::uint64_t> word{static_cast<std::uint64_t>(request)};
    comm_.broadcast(word);
    return static_cast<Request>(word[0]);
}

/// The root reads the tree off the memo; the others answer its questions, and receive the tree. Those that share its memo
/// read along, from the other side, so that what is still to be solved is shared.
CellTree SharedMemo::make_tree(const std::function<CellTree()>& make, const std::function<void()>& help) {
    if (!host_.is_everyone_here()) send_changes();
    CellTree tree;
    std::exception_ptr problem;
    if (comm_.is_root()) {
        makes_tree_ = true;
        try {
            tree = make();
        } catch (...) {
            problem = std::current_exception();
        }
        makes_tree_ = false;
        announce(problem ? Request::failed : Request::made);
    } else {
        tree_is_made_ = false;
        if (help && host_.is_here(0)) help_root(help);
        while (!tree_is_made_) serve_once();
    }
    comm::agree_on(comm_, [&] {
        if (problem) std::rethrow_exception(problem);
    });
    comm_.broadcast(tree.nodes);
    return tree;
}

void SharedMemo::help_root(const std::function<void()>& help) {
    helps_ = true;
    try {
        help();
    } catch (const std::exception&) {
        if (is_serving_) throw;  // in the middle of what ranks do together
        // Else the root comes to the same end, and tells.
    }
    helps_ = false;
}

bool SharedMemo::help_ends() {
    while (!tree_is_made_ && host_.calls()->load(std::memory_order_acquire) > served_) serve_once();
    return tree_is_made_ || search_over_;
}

/// Does with the root what it asks for next.
void SharedMemo::serve_once() {
    is_serving_ = true;
    const Request request = announce(Request::fetch);
    ++served_;
    if (request == Request::fetch)
        ask_owners({});
    else if (request == Request::safe_point)
        try {
            search_over_ = safe_point_() || search_over_;
        } catch (const Error&) {
            // All ranks agree on it, and the root ends the tree by it.
        }
    else
        tree_is_made_ = true;
    is_serving_ = false;
}

}  // namespace regrove::dist
