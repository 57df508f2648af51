// The training set of trees, read as an objective wants it.
#include "regrove/dist/boosting_set.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/data/column_numbers.hpp"
#include "regrove/dist/bin_table.hpp"
#include "regrove/dist/boosting_thresholds.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/row_groups.hpp"
#include "regrove/dist/sparse_columns.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/dist/target_statistics.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/store/binned_file.hpp"

namespace regrove::dist {

namespace {

/// How the label is to be taken, as trees say it.
train::Criterion criterion_of(const objective::ObjectiveOptions& options) {
    if (options.objective == "auto") return train::Criterion::automatic;
    const objective::LabelKind labels = objective::find_objective(options.objective).labels;
    const bool classes = labels == objective::LabelKind::two_classes || labels == objective::LabelKind::classes;
    return classes ? train::Criterion::gini : train::Criterion::squared_error;
}

bool is_grouped(const objective::ObjectiveOptions& options) {
    return options.objective != "auto" &&
           objective::find_objective(options.objective).labels == objective::LabelKind::relevance;
}

void check_rows(const data::TableShard& shard) {
    if (shard.rows > std::numeric_limits<std::uint32_t>::max()) {
        throw LimitError("boosting takes fewer than 2^32 rows on one rank, this one has " +
                         std::to_string(shard.rows) + "; use more ranks");
    }
}

std::vector<double> number_labels(const data::TableShard& shard, std::size_t column) {
    std::vector<double> labels(shard.rows);
    data::for_each_number(shard.schema.columns[column].type, shard.values[column],
                          [&](std::size_t row, double number) { labels[row] = number; });
    return labels;
}

/// Weights as trees round them, with class weights; empty: one each. Trees give rows of weight zero one unit and mark them
/// as left out; here they weigh nothing, so that initial scores and quantiles do not see them.
std::vector<double> row_weights(const TrainingSet& trees, double scale_pos_weight) {
    const train::Target& target = trees.target;
    std::vector<double> weights;
    if (!target.is_weighted && scale_pos_weight == 1) return weights;
    weights.resize(trees.rows());
    for (std::size_t row = 0; row < weights.size(); ++row) {
        if (!trees.left_out.empty() && trees.left_out[row]) continue;
        weights[row] = static_cast<double>(target.weight(row)) * target.scale.weight_unit;
        if (scale_pos_weight != 1 && target.classes[row] == 1) weights[row] *= scale_pos_weight;
    }
    return weights;
}

train::CartOptions cart_options(const train::BoostingOptions& options) {
    train::CartOptions cart;
    cart.criterion = criterion_of(options.objective);
    cart.class_weight = options.class_weight;
    return cart;
}

/// What is taken of a shard before its target is made.
struct LabelColumn {
    std::uint64_t first_row = 0;
    std::vector<std::uint64_t> group_begins;
    NarrowNumbers numbers;  ///< empty where the label holds classes for sure
};

LabelColumn take_labels(comm::Communicator& comm, const data::TableShard& shard,
                        const train::BoostingOptions& options) {
    LabelColumn taken;
    comm::agree_on(comm, [&] { check_rows(shard); });
    taken.first_row = comm.exclusive_sum(shard.rows);
    if (is_grouped(options.objective)) {
        taken.group_begins = comm::agree_on(comm, [&] { return find_groups(shard); });
    }
    const auto label = shard.schema.find(data::ColumnRole::label);
    const train::Criterion criterion = criterion_of(options.objective);
    const bool numbers = criterion == train::Criterion::squared_error || criterion == train::Criterion::automatic;
    if (label && numbers) taken.numbers = NarrowNumbers(number_labels(shard, *label));
    return taken;
}

/// All but features and table.
BoostingSet start_set(comm::Communicator& comm, const TrainingSet& trees, LabelColumn labels,
                      const train::BoostingOptions& options) {
    BoostingSet set;
    set.first_row = labels.first_row;
    set.task = trees.task;
    set.label_name = trees.label_name;
    set.classes = trees.classes;
    set.global_rows = trees.global_rows;
    if (options.scale_pos_weight != 1 && set.classes.size() != 2) {
        throw ConfigError("--scale-pos-weight is for two classes; --class-weight is for any number");
    }
    set.rows.group_begins = std::move(labels.group_begins);
    if (set.task == model::Task::classification) {
        set.rows.labels = NarrowNumbers(std::span<const std::uint32_t>(trees.target.classes));
    } else {
        set.rows.labels = std::move(labels.numbers);
    }
    set.rows.weights = NarrowNumbers(row_weights(trees, options.scale_pos_weight));
    set.left_out.assign(trees.left_out.begin(), trees.left_out.end());
    set.objective = objective::make_objective(options.objective, static_cast<std::uint32_t>(set.classes.size()));
    comm::agree_on(comm, [&] { check_labels(*set.objective, set.rows, set.first_row); });
    return set;
}

void check_kept_options(const store::BinnedFileInfo& info, const train::BoostingOptions& options,
                        const std::string& path) {
    if (!statistic_features(info.features, options).empty()) {
        throw ConfigError("--target-statistics: '" + path +
                          "' keeps bins of categories, not statistics of them; train on the table itself");
    }
    if (options.split_points == train::BoostingSplitPoints::exact) {
        throw ConfigError("--split-points exact: '" + path +
                          "' keeps bins, not values; train on the table itself, or with --split-points histogram");
    }
    if (info.notes.max_bin == options.max_bin) return;
    throw ConfigError("--max-bin " + std::to_string(options.max_bin) + ": '" + path + "' was binned with --max-bin " +
                      std::to_string(info.notes.max_bin) + "; give --max-bin " + std::to_string(info.notes.max_bin) +
                      ", or bin the table again");
}

/// Rows of weight zero do not count in bins, so that a class weight of zero would ask for other bins.
void require_binned_rows(comm::Communicator& comm, const data::TableShard& shard, const TrainingSet& trees,
                         const std::string& path) {
    std::uint64_t own = 0;
    if (!trees.left_out.empty()) {
        const auto weight = shard.schema.find(data::ColumnRole::weight);
        for (std::size_t row = 0; row < trees.left_out.size(); ++row) {
            const bool zero =
                weight && data::as_double(shard.schema.columns[*weight].type, shard.values[*weight], row) == 0;
            if (trees.left_out[row] && !zero) own = 1;
        }
    }
    if (comm.max(own) == 0) return;
    throw ConfigError("--class-weight: a weight of 0 leaves rows out that the bins of '" + path +
                      "' were made of; give a small weight, or train on the table itself");
}

const model::Feature& feature_named(const std::vector<model::Feature>& features, const std::string& name,
                                    const char* option) {
    const auto found =
        std::find_if(features.begin(), features.end(), [&](const model::Feature& f) { return f.name == name; });
    if (found != features.end()) return *found;
    std::vector<std::string> names;
    for (const auto& f : features) names.push_back(f.name);
    const std::string near = nearest_name(name, names);
    throw ConfigError(std::string(option) + ": the table has no feature '" + name + "'" +
                      (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace

data::TableShard place_rows(comm::Communicator& comm, data::TableShard shard, const train::BoostingOptions& options,
                            std::optional<data::SparseCells>& cells) {
    if (!is_grouped(options.objective)) return shard;
    if (!cells) return keep_groups_whole(comm, std::move(shard));
    data::SparseTable whole = keep_groups_whole(comm, data::SparseTable{std::move(shard), std::move(*cells)});
    cells = std::move(whole.cells);
    return std::move(whole.rows);
}

BoostingSet::BoostingSet() = default;
BoostingSet::BoostingSet(BoostingSet&&) noexcept = default;
BoostingSet& BoostingSet::operator=(BoostingSet&&) noexcept = default;
BoostingSet::~BoostingSet() = default;

BoostingSet make_boosting_set(comm::Communicator& comm, data::TableShard shard, const train::BoostingOptions& options,
                              std::uint64_t seed, std::optional<data::SparseCells> cells) {
    LabelColumn labels = take_labels(comm, shard, options);
    TrainingSet trees = make_training_set(comm, std::move(shard), cart_options(options), Resampling::none,
                                          cells ? FeatureColumns::elsewhere : FeatureColumns::required);
    BoostingSet set = start_set(comm, trees, std::move(labels), options);
    set.features = trees.features;
    const bool exact = options.split_points == train::BoostingSplitPoints::exact;
    if (cells) {
        if (exact) throw ConfigError("--split-points exact needs dense rows: take --split-points histogram");
        for (const auto& column : cells->columns) set.features.push_back(make_feature(column));
        set.sparse = make_sparse_columns(comm, std::move(*cells), set.left_out, options.max_bin);
        set.table = std::make_unique<train::BoostingTable>(binning::BinnedTable{});
        return set;
    }
    binning::BinnedTable binned =
        exact ? comm::agree_on(comm, [&] { return bin_categories(trees); }) : bin_table(comm, trees, options.max_bin);
    if (exact) {
        set.thresholds =
            make_threshold_search(comm, std::move(trees.columns), numeric_features(trees), trees.left_out);
    }
    trees = {};
    set.statistics = take_target_statistics(comm, set, options, seed, binned);
    set.table = comm::agree_on(comm, [&] { return std::make_unique<train::BoostingTable>(std::move(binned)); });
    return set;
}

BoostingSet make_boosting_set(comm::Communicator& comm, data::TableShard shard, store::BinnedFile& kept,
                              const train::BoostingOptions& options) {
    const store::BinnedFileInfo& info = kept.info();
    check_kept_options(info, options, kept.path());
    BoostingSet set;
    {
        LabelColumn labels = take_labels(comm, shard, options);
        TrainingSet trees = make_target_set(comm, shard, cart_options(options));
        require_binned_rows(comm, shard, trees, kept.path());
        shard.values.clear();
        set = start_set(comm, trees, std::move(labels), options);
    }
    set.features = info.features;
    const std::size_t rows = set.rows.rows();
    set.table = comm::agree_on(comm, [&] {
        return std::make_unique<train::BoostingTable>(
            info.bins, rows,
            [&](const train::BoostingTable::TileRows& some, const binning::TileShape&, std::uint8_t* laid) {
                kept.read_tile(some.tile, set.first_row + some.begin, some.count, laid);
            });
    });
    kept.check_tiles();
    return set;
}

RowLabels read_other_labels(comm::Communicator& comm, const BoostingSet& set, const data::TableShard& shard) {
    return comm::agree_on(comm, [&] {
        model::Ensemble names;
        names.task = set.task;
        names.label_name = set.label_name;
        names.classes = set.classes;
        RowLabels rows;
        const std::size_t column = infer::label_column(names, shard.schema);
        if (set.task == model::Task::classification) {
            const auto classes = infer::true_classes(names, shard, column);
            rows.labels.assign(classes.begin(), classes.end());
        } else {
            rows.labels = infer::true_values(shard, column);
        }
        rows.weights = weights_of(shard);
        if (set.objective->grouped()) rows.group_begins = find_groups(shard);
        return rows;
    });
}

std::vector<std::int8_t> monotone_directions(const std::vector<std::string>& texts,
                                             const std::vector<model::Feature>& features) {
    if (texts.empty()) return {};
    std::vector<std::int8_t> directions(features.size(), 0);
    for (const std::string& text : texts) {
        const auto equals = text.rfind('=');
        const std::string direction = equals == std::string::npos ? "" : text.substr(equals + 1);
        if (direction != "+1" && direction != "1" && direction != "-1" && direction != "0") {
            throw ConfigError("--monotone '" + text + "': write NAME=+1 (rising), NAME=-1 (falling) or NAME=0");
        }
        const model::Feature& feature = feature_named(features, text.substr(0, equals), "--monotone");
        if (feature.kind == model::FeatureKind::category) {
            throw ConfigError("--monotone: feature '" + feature.name + "' holds categories, which have no order");
        }
        directions[static_cast<std::size_t>(&feature - features.data())] =
            static_cast<std::int8_t>(direction == "-1"  ? -1
                                     : direction == "0" ? 0
                                                        : 1);
    }
    return directions;
}

std::vector<std::vector<std::uint32_t>> interaction_groups(const std::vector<std::string>& texts,
                                                           const std::vector<model::Feature>& features) {
    std::vector<std::vector<std::uint32_t>> groups;
    for (const std::string& text : texts) {
        std::set<std::uint32_t> group;
        std::size_t begin = 0;
        while (begin <= text.size()) {
            const std::size_t end = std::min(text.find(':', begin), text.size());
            const model::Feature& feature = feature_named(features, text.substr(begin, end - begin), "--interaction");
            group.insert(static_cast<std::uint32_t>(&feature - features.data()));
            begin = end + 1;
        }
        groups.emplace_back(group.begin(), group.end());
    }
    return groups;
}

}  // namespace regrove::dist
