// A rank's rows made ready for growth: feature columns, and the target as integers of a unit shared by all ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/target.hpp"

namespace regrove::dist {

/// Whether rows may be drawn several times: then units are chosen for as many copies of the heaviest row as there are rows.
enum class Resampling : std::uint8_t { none, with_replacement };

/// Whether the table must hold feature columns, or they are kept elsewhere (sparse rows).
enum class FeatureColumns : std::uint8_t { required, elsewhere };

struct TrainingSet {
    model::Task task = model::Task::classification;
    std::string label_name;
    std::vector<std::string> classes;
    std::vector<model::Feature> features;
    std::vector<data::ColumnValues> columns;  ///< one a feature, this rank's rows
    train::Target target;
    train::EntropyTerms entropy;
    std::vector<bool> left_out;  ///< rows of weight zero take no part; empty: none
    std::uint64_t global_rows = 0;

    std::size_t rows() const { return target.rows(); }
};

/// What a model keeps of a feature column.
model::Feature make_feature(const data::ColumnSchema& column);

/// The numbers of the numeric features, ascending.
std::vector<std::uint32_t> numeric_features(const TrainingSet& set);

/// Checks and converts. Collective; throws InputError (agreed) on a missing or infinite label, fewer than two
/// classes, no rows, no features, a negative or missing weight, text features, integers beyond 2^53.
TrainingSet make_training_set(comm::Communicator& comm, data::TableShard shard, const train::CartOptions& options,
                              Resampling resampling = Resampling::none,
                              FeatureColumns features = FeatureColumns::required);

/// The same without features: `shard` needs its label and weight columns only, and features of it are not looked at.
TrainingSet make_target_set(comm::Communicator& comm, const data::TableShard& shard,
                            const train::CartOptions& options, Resampling resampling = Resampling::none);

/// Throws InputError on feature columns of text, with infinite values or with integers beyond 2^53.
void check_features(const data::TableShard& shard);

}  // namespace regrove::dist
