// Each kind of answer as columns.
#include "regrove/infer/prediction_table.hpp"

#include <array>
#include <string>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/infer/initial_scores.hpp"

namespace regrove::infer {

namespace {

using data::ColumnRole;
using data::ColumnType;
using model::Task;

constexpr std::array<std::string_view, 6> k_kind_texts{"auto", "class", "probability", "value", "leaf", "raw"};

/// Adds columns of equal length to a shard.
class Columns {
  public:
    explicit Columns(data::TableShard& shard) : shard_(shard) {}

    void add(data::ColumnSchema schema, data::ColumnValues values) {
        shard_.schema.columns.push_back(std::move(schema));
        shard_.values.push_back(std::move(values));
    }
    void add(std::string name, std::vector<double> values) {
        add({std::move(name), ColumnType::float64, ColumnRole::feature, {}}, std::move(values));
    }
    void add(std::string name, std::vector<std::int32_t> values) {
        add({std::move(name), ColumnType::int32, ColumnRole::feature, {}}, std::move(values));
    }

  private:
    data::TableShard& shard_;
};

/// Every outputs-th number from `first`.
std::vector<double> strided(const std::vector<double>& answers, std::size_t first, std::size_t outputs) {
    std::vector<double> column(answers.size() / outputs);
    for (std::size_t row = 0; row < column.size(); ++row) column[row] = answers[row * outputs + first];
    return column;
}

void add_each_class(Columns& columns, const std::string& prefix, const std::vector<double>& answers,
                    const std::vector<std::string>& classes) {
    for (std::size_t k = 0; k < classes.size(); ++k)
        columns.add(prefix + "_" + classes[k], strided(answers, k, classes.size()));
}

void add_raw(Columns& columns, const model::Ensemble& ensemble, std::vector<double> raw) {
    if (ensemble.scores() == 1 && (ensemble.task == Task::regression || ensemble.outputs() == 2))
        columns.add("raw", std::move(raw));
    else
        add_each_class(columns, "raw", raw, ensemble.classes);
}

void add_leaves(Columns& columns, const std::vector<NodeId>& leaves, const Predictor& predictor, std::size_t trees) {
    const std::size_t rows = leaves.size() / trees;
    for (std::size_t tree = 0; tree < trees; ++tree) {
        std::vector<std::int32_t> numbers(rows);
        std::vector<std::int32_t> nodes(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            const NodeId leaf = leaves[row * trees + tree];
            numbers[row] = static_cast<std::int32_t>(predictor.leaf_number(tree, leaf));
            nodes[row] = static_cast<std::int32_t>(index(leaf));
        }
        std::string suffix;
        if (trees > 1) suffix.append("_").append(std::to_string(tree));
        columns.add("leaf" + suffix, std::move(numbers));
        columns.add("node" + suffix, std::move(nodes));
    }
}

/// Of a model that sums scores.
void add_summed_answers(Columns& columns, const model::Ensemble& ensemble, const Predictor& predictor,
                        std::vector<double> raw, PredictionKind kind) {
    if (kind == PredictionKind::classes)
        columns.add({"class", ColumnType::category, ColumnRole::feature, ensemble.classes},
                    predictor.classes_of(raw));
    else if (kind == PredictionKind::probability)
        add_each_class(columns, "probability", predictor.probabilities_of(raw), ensemble.classes);
    else if (kind == PredictionKind::value)
        columns.add("value", predictor.values_of(std::move(raw)));
    else
        add_raw(columns, ensemble, std::move(raw));
}

/// From the leaves that the rows reach.
/// What answers are made of.
struct ReachedLeaves {
    std::vector<NodeId> leaves;
    std::vector<double> initial;  ///< see initial_scores_of
};

void add_answers(Columns& columns, const model::Ensemble& ensemble, const Predictor& predictor,
                 const ReachedLeaves& reached, PredictionKind kind) {
    const auto& [leaves, initial] = reached;
    switch (kind) {
        case PredictionKind::automatic:
            break;  // resolved before
        case PredictionKind::classes:
            columns.add({"class", ColumnType::category, ColumnRole::feature, ensemble.classes},
                        predictor.classes(leaves, initial));
            break;
        case PredictionKind::probability:
            add_each_class(columns, "probability", predictor.probabilities(leaves, initial), ensemble.classes);
            break;
        case PredictionKind::value:
            columns.add("value", predictor.values(leaves, initial));
            break;
        case PredictionKind::leaf:
            add_leaves(columns, leaves, predictor, ensemble.trees.size());
            break;
        case PredictionKind::raw:
            add_raw(columns, ensemble, predictor.raw(leaves, initial));
            break;
    }
}

void add_flags(Columns& columns, const std::vector<PathFlags>& flags) {
    const std::array<std::pair<const char*, bool PathFlags::*>, 3> kinds{
        {{"unseen_category", &PathFlags::unseen_category},
         {"unseen_missing", &PathFlags::unseen_missing},
         {"outside_range", &PathFlags::outside_range}}};
    for (const auto& [name, member] : kinds) {
        std::vector<std::int32_t> column(flags.size());
        for (std::size_t row = 0; row < flags.size(); ++row) column[row] = flags[row].*member ? 1 : 0;
        columns.add(name, std::move(column));
    }
}

}  // namespace

std::string_view to_text(PredictionKind kind) { return k_kind_texts[static_cast<std::size_t>(kind)]; }

PredictionKind resolve_kind(PredictionKind kind, const model::Ensemble& ensemble) {
    const bool classifies = ensemble.task == Task::classification;
    if (kind == PredictionKind::automatic) return classifies ? PredictionKind::classes : PredictionKind::value;
    if (classifies && kind == PredictionKind::value)
        throw ConfigError("kind: the model classifies, so it has no value; allowed: class, probability, leaf, raw");
    if (!classifies && (kind == PredictionKind::classes || kind == PredictionKind::probability))
        throw ConfigError("kind: the model is a regression, so it has no " + std::string(to_text(kind)) +
                          "; allowed: value, leaf, raw");
    return kind;
}

data::TableShard prediction_table(const model::Ensemble& ensemble, const Predictor& predictor,
                                  const data::TableShard& shard, const PredictionOptions& options) {
    data::TableShard predictions;
    predictions.rows = shard.rows;
    predictions.first_row = shard.first_row;
    predictions.global_rows = shard.global_rows;
    Columns columns(predictions);
    for (std::size_t c = 0; c < shard.values.size(); ++c)
        if (shard.schema.columns[c].role == ColumnRole::id) columns.add(shard.schema.columns[c], shard.values[c]);
    const PredictionKind kind = resolve_kind(options.kind, ensemble);
    if (predictor.sums() && kind != PredictionKind::leaf)
        add_summed_answers(columns, ensemble, predictor, predictor.raw_scores(shard), kind);
    else
        add_answers(columns, ensemble, predictor, {predictor.leaves(shard), initial_scores_of(ensemble, shard)},
                    kind);
    if (options.flags) add_flags(columns, predictor.flags(shard));
    data::validate(predictions.schema);
    return predictions;
}

}  // namespace regrove::infer
