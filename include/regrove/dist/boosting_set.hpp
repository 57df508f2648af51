// A rank's rows made ready for boosting: labels, weights, groups and binned features.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/sparse_cells.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/training_labels.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/objective/objective.hpp"
#include "regrove/train/boosting_layout.hpp"
#include "regrove/train/boosting_options.hpp"
#include "regrove/train/boosting_sparse_columns.hpp"
#include "regrove/train/boosting_thresholds.hpp"

namespace regrove::store {
class BinnedFile;
}

namespace regrove::dist {

class TargetStatistics;

struct BoostingSet {
    BoostingSet();
    BoostingSet(BoostingSet&&) noexcept;
    BoostingSet& operator=(BoostingSet&&) noexcept;
    ~BoostingSet();

    model::Task task = model::Task::classification;
    std::string label_name;
    std::vector<std::string> classes;
    std::vector<model::Feature> features;
    TrainingLabels rows;
    std::vector<std::uint8_t> left_out;  ///< a mark for rows of weight zero, which take no part; empty: none
    std::uint64_t first_row = 0;
    std::uint64_t global_rows = 0;
    std::unique_ptr<objective::Objective> objective;
    std::unique_ptr<train::BoostingTable> table;
    std::unique_ptr<TargetStatistics> statistics;  ///< null: no feature is told apart by them
    std::unique_ptr<train::SparseColumns> sparse;  ///< in place of `table`, which then has no features; else null
    std::unique_ptr<train::ThresholdSearch> thresholds;  ///< exact split points, over numeric features; else null
};

/// Rows as the objective wants them on the ranks: ranking keeps each group whole on one rank, in the old order (each rank
/// holds all rows for a moment); other objectives leave them where they are. Collective; throws InputError.
data::TableShard place_rows(comm::Communicator& comm, data::TableShard shard, const train::BoostingOptions& options,
                            std::optional<data::SparseCells>& cells);

/// `shard` is placed. Checks, converts and bins; the shard's columns are let go on the way. Collective; throws InputError and ConfigError
/// (agreed). `cells`: the features, where they are sparse; then `shard` has none.
BoostingSet make_boosting_set(comm::Communicator& comm, data::TableShard shard, const train::BoostingOptions& options,
                              std::uint64_t seed, std::optional<data::SparseCells> cells = std::nullopt);

/// The same from rows that were binned before: `shard` holds label, weight and group of this rank's rows, whose codes are read.
/// Throws ConfigError on options that the bins do not fit, FormatError when the codes are not those that were written.
BoostingSet make_boosting_set(comm::Communicator& comm, data::TableShard shard, store::BinnedFile& kept,
                              const train::BoostingOptions& options);

/// Labels of other rows for the same objective: validation. Without class weights. Throws InputError (agreed) on labels that
/// training does not know.
RowLabels read_other_labels(comm::Communicator& comm, const BoostingSet& set, const data::TableShard& shard);

/// "NAME=+1" and the like as a direction a feature; empty when there are none. Throws ConfigError.
std::vector<std::int8_t> monotone_directions(const std::vector<std::string>& texts,
                                             const std::vector<model::Feature>& features);
/// "NAME:NAME" groups as numbers of features, ascending. Throws ConfigError.
std::vector<std::vector<std::uint32_t>> interaction_groups(const std::vector<std::string>& texts,
                                                           const std::vector<model::Feature>& features);

}  // namespace regrove::dist
