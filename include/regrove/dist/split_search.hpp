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
#include "regrove/dist/node_search.hpp"
#include "regrove/dist/run_reader.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/model/tree.hpp"
#include "regrove/train/category_split.hpp"

namespace regrove::dist {

/// A best or tied question while it is only known by its place.
struct PlacedCandidate {
    std::uint32_t slot = 0;
    train::SplitCandidate candidate;
    bool categorical = false;
    std::vector<std::uint64_t> right_categories;
};

/// Which features each slot may ask about.
struct AllowedFeatures {
    /// Slot by slot: the earlier of two features wins a tie.
    std::vector<std::vector<std::uint32_t>> features;
    bool in_turn = false;  ///< they are looked at one after the other until one gains
};

struct PlacedInOrder;  ///< a candidate of a node that draws its features

class SplitSearch final : public NodeSearch {
  public:
    SplitSearch(comm::Communicator& comm, const TrainingSet& set, const ColumnRuns& runs,
                const train::CartOptions& options);

    std::vector<FoundSplit> search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) override {
        return search_among(nodes, node_of_row, nullptr);
    }
    /// Among some features only, and without counting ties. Collective.
    std::vector<FoundSplit> search_among(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row,
                                         const AllowedFeatures* allowed);
    std::uint32_t most_slots() const override;

  private:
    struct Round;  ///< working state of one call

    void set_keys(Round& round, const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) const;
    void count_missing(Round& round) const;
    void search_numeric(Round& round) const;
    void search_categories(Round& round) const;
    void keep(Round& round, const PlacedCandidate& found) const;
    void merge_over_ranks(Round& round) const;
    static PlacedInOrder in_order(const Round& round, std::uint32_t slot, const train::SplitCandidate& candidate);
    std::vector<FoundSplit> decide(Round& round) const;

    comm::Communicator& comm_;
    const TrainingSet& set_;
    const ColumnRuns& runs_;
    const train::CartOptions& options_;
    train::NodeFigures figures_;
    std::vector<std::uint32_t> categorical_;
};

}  // namespace regrove::dist
