// The best question of each open node, found by all ranks together.
//
// local: each holder sweeps its run of every numeric column, each owner counts its rows by category
// summary: candidates and statistics, both mergeable     merge: over the ranks     decide: the same on every rank
// Bytes sent a rank, for n nodes with statistics of s integers, c numeric and q category columns on p ranks:
//   keys           c * cells/rank * (1, 2 or 4)
//   statistics     8 s n (c + 2 * missing columns + 2 * categories)
//   next values    24 n c ceil(log2 p)        candidates  sizeof(SplitCandidate) n ceil(log2 p)
// None grows with the number of ranks but by its logarithm; the first, the only large one, falls as rows/ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/column_runs.hpp"
#include "regrove/dist/run_reader.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/model/tree.hpp"
#include "regrove/train/category_split.hpp"

namespace regrove::dist {

/// Nodes to be searched. Slot i is ids[i].
struct OpenNodes {
    std::vector<std::uint32_t> ids;
    std::vector<std::int64_t> totals;  ///< slots x layout size, over all ranks
    std::uint32_t slots() const { return static_cast<std::uint32_t>(ids.size()); }
};

/// A node's answer.
struct FoundSplit {
    bool splittable = false;
    model::Question question;  ///< complete but for surrogates
    double gain = 0;
    std::uint32_t ties_cutting_differently = 0;
    std::uint32_t ties_cutting_alike = 0;
};

/// A best or tied question while it is only known by its place.
struct PlacedCandidate {
    std::uint32_t slot = 0;
    train::SplitCandidate candidate;
    bool categorical = false;
    std::vector<std::uint64_t> right_categories;
};

class SplitSearch {
  public:
    SplitSearch(comm::Communicator& comm, const TrainingSet& set, const ColumnRuns& runs,
                const train::CartOptions& options);

    /// `node_of_row` is this rank's row-to-node map. Collective.
    std::vector<FoundSplit> search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row);

    /// How many nodes one call may take, by memory; the same on all ranks.
    std::uint32_t most_slots() const;

  private:
    struct Round;  ///< working state of one call

    void set_keys(Round& round, const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) const;
    void count_missing(Round& round) const;
    void search_numeric(Round& round) const;
    void search_categories(Round& round) const;
    void keep(Round& round, const PlacedCandidate& found) const;
    std::vector<FoundSplit> decide(Round& round) const;

    comm::Communicator& comm_;
    const TrainingSet& set_;
    const ColumnRuns& runs_;
    const train::CartOptions& options_;
    train::NodeFigures figures_;
    std::vector<std::uint32_t> categorical_;
};

}  // namespace regrove::dist
