// The one entrance to the searches: an ensemble over a space in, a faithful tree with proven bounds out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "regrove/bornagain/busy_stack.hpp"
#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/bornagain/memo.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::bornagain {

enum class Objective : std::uint8_t {
    depth,         ///< least depth
    leaves,        ///< fewest leaves
    depth_leaves,  ///< fewest leaves among the trees of least depth
    heuristic,     ///< a good faithful tree, fast; bounds on its leaves
};

/// Where the tree must decide as the ensemble does.
enum class Support : std::uint8_t {
    all,    ///< everywhere
    rows,   ///< in cells that hold a row of the table
    range,  ///< within the range of cells that the table's rows have on each axis
};

struct RebornOptions {
    Objective objective = Objective::depth;
    Support support = Support::all;
    /// For Support::rows and range: the cells of the table's rows, axes numbers a row, without repetition.
    std::vector<std::uint32_t> supported_cells;
    std::uint32_t heuristic_samples = 1000;  ///< cells sampled in a box
    double accept_gap = 0;                   ///< end when (value - lower bound) / value is at most this
    std::uint64_t seed = 0;                  ///< of the heuristic's samples
};

/// How a search talks to what is around it; each may be empty. All but `is_elsewhere` are called on the thread that
/// called reborn().
struct SearchHooks {
    /// The root of a stage of the search (depth_leaves has two), and its end, solved or not.
    std::function<void(const StateKey& root)> stage_begins;
    std::function<void(bool wants_end)> stage_ends;
    /// Asked now and then, and told whether this process must end (memory); true ends the search with what it has.
    std::function<bool(bool wants_end)> ends;
    /// Whether another process should rather solve a state: it is then left for last.
    std::function<bool(const StateKey&)> is_elsewhere;
    /// This process among those that search together: each begins elsewhere.
    std::uint32_t process = 0;
    std::uint32_t processes = 1;
    /// What the workers of all processes that share the memo are busy with; this process's stacks begin at `first_stack`.
    /// Empty: nobody else uses the memo.
    std::span<BusyStack> stacks;
    std::uint32_t first_stack = 0;
    /// States that will be asked for next, while the tree is read off the memo.
    std::function<void(const std::vector<StateKey>&)> prefetch;
    /// Lets one process make the tree for all. `help`, if given, solves what it will need, for a process that shares its
    /// memo.
    std::function<CellTree(const std::function<CellTree()>& make, const std::function<void()>& help)> make_tree;
};

struct RebornLimits {
    std::uint64_t memory_bytes = 0;  ///< of the memo; zero: none
    std::function<bool()> stop;      ///< asked now and then on the calling thread: whether the time is over
    /// Instead of `stop`, once a stop has left no tree to prove and write: whether also the time kept for that is over.
    std::function<bool()> overtime_ends;
    SearchHooks hooks;
    Memo* memo = nullptr;  ///< used and filled if given, else one of the search's own
};

enum class Ended : std::uint8_t {
    optimal,
    gap_accepted,
    stopped,         ///< by time or signal
    out_of_memory,   ///< of the memo
    too_large,       ///< the space is, for the exact search: the heuristic's tree and sampled bounds
    heuristic_done,  ///< as asked
};

struct RebornFigures {
    std::uint64_t states = 0;  ///< sub-problems expanded
    std::uint64_t memo_entries = 0;
    std::uint64_t memo_bytes = 0;
    double log10_cells = 0;           ///< of the space
    double log10_filtered_cells = 0;  ///< without hyperplanes across which no class changes
};

struct RebornResult {
    /// Faithful, whatever `ended` says. Without nodes when a limit came before any was found: only on spaces that are
    /// too large to be laid out; the bounds are proven all the same.
    CellTree tree;
    std::uint64_t value = 0;         ///< of the objective: depth or leaves of the tree (depth_leaves: leaves)
    std::uint64_t lower_bound = 0;   ///< proven, for every faithful tree (depth_leaves: for those of depth_bound)
    std::uint64_t depth_bound = 0;   ///< proven lower bound on the depth
    std::uint64_t leaves_bound = 0;  ///< proven lower bound on the leaves
    Ended ended = Ended::optimal;
    RebornFigures figures;

    bool has_tree() const { return !tree.nodes.empty(); }
};

RebornResult reborn(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                    const RebornOptions& options, const RebornLimits& limits);

}  // namespace regrove::bornagain
