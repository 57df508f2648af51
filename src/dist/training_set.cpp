#include "regrove/dist/training_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/large_pages.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/data/column_integers.hpp"
#include "regrove/data/column_numbers.hpp"

namespace regrove::dist {

namespace {

using data::ColumnRole;
using data::ColumnType;
using train::Criterion;

constexpr std::uint64_t k_most_integer_classes = 10000;
/// Sums of 32-bit low parts (statistics.hpp) stay below 2^63.
constexpr std::uint64_t k_most_regression_rows = std::uint64_t{1} << 31U;
constexpr double k_exact_integer = 0x1p53;

std::string row_text(const data::TableShard& shard, std::size_t row) {
    return "row " + std::to_string(shard.first_row + row + 1);
}

double number_at(const data::TableShard& shard, std::size_t column, std::size_t row) {
    return data::as_double(shard.schema.columns[column].type, shard.values[column], row);
}

template <class Cell, class Test>
std::size_t first_row_where(const std::vector<Cell>& cells, Test test) {
    return static_cast<std::size_t>(std::find_if(cells.begin(), cells.end(), test) - cells.begin());
}

void check_feature(const data::ColumnSchema& column, const data::ColumnValues& values,
                   const data::TableShard& shard) {
    if (column.type == ColumnType::text) {
        throw InputError(
            "column '" + column.name +
            "' holds text and cannot be a feature; ingest it with --categorical, or leave it out with --ignore");
    }
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
        constexpr auto k_most = static_cast<std::int64_t>(k_exact_integer);
        const std::size_t row = first_row_where(*integers, [](std::int64_t value) {
            return value != data::k_missing_int64 && (value > k_most || value < -k_most);
        });
        if (row != shard.rows) {
            throw InputError(
                "column '" + column.name + "', " + row_text(shard, row) +
                ": integers beyond 2^53 cannot be compared exactly; make the column an id or a category");
        }
    }
    std::size_t infinite = shard.rows;
    const auto is_infinite = [](auto value) { return std::isinf(value); };
    if (const auto* floats = std::get_if<std::vector<float>>(&values)) {
        infinite = first_row_where(*floats, is_infinite);
    } else if (const auto* doubles = std::get_if<std::vector<double>>(&values)) {
        infinite = first_row_where(*doubles, is_infinite);
    }
    if (infinite != shard.rows) {
        throw InputError("column '" + column.name + "', " + row_text(shard, infinite) +
                         ": the value is infinite; mark it as missing or replace it by a number");
    }
}

/// The label's place in the schema; throws when there is none.
std::size_t label_index(const data::Schema& schema) {
    const auto label = schema.find(ColumnRole::label);
    if (!label) throw InputError("the table has no label column; name it with --target");
    return *label;
}

/// Beyond it integers do not stay apart in double precision, and squares of decimals overflow.
double largest_label(ColumnType type) {
    return type == ColumnType::float32 || type == ColumnType::float64 ? 1e150 : k_exact_integer;
}

/// At the speed of reading; what is wrong with a label, and where, is looked for only when one is.
bool all_labels_good(const data::ColumnSchema& column, const data::ColumnValues& values) {
    if (column.type == ColumnType::text) return false;
    const double most =
        column.type == ColumnType::category ? std::numeric_limits<double>::infinity() : largest_label(column.type);
    bool good = true;
    data::for_each_number(column.type, values,
                          [&](std::size_t, double number) { good &= std::fabs(number) <= most; });
    return good;
}

void check_labels_present(const data::TableShard& shard, std::size_t label) {
    if (all_labels_good(shard.schema.columns[label], shard.values[label])) return;
    for (std::size_t row = 0; row < shard.rows; ++row) {
        if (data::is_missing(shard.schema.columns[label].type, shard.values[label], row)) {
            throw InputError("label '" + shard.schema.columns[label].name + "', " + row_text(shard, row) +
                             ": the label is missing; fill it in or leave the row out");
        }
        if (shard.schema.columns[label].type != ColumnType::category &&
            std::fabs(number_at(shard, label, row)) > largest_label(shard.schema.columns[label].type)) {
            throw InputError("label '" + shard.schema.columns[label].name + "', " + row_text(shard, row) +
                             ": the number is too large (integers go up to 2^53, decimals to 1e150)");
        }
    }
}

std::string criterion_hint(const std::string& label) {
    return "label '" + label +
           "' holds integers: say --objective gini (or entropy) to take them as classes, or squared_error to take "
           "them "
           "as numbers";
}

/// Sorted distinct integers of the label over all ranks.
std::vector<std::int64_t> all_integers(comm::Communicator& comm, const data::TableShard& shard, std::size_t label) {
    const auto own =
        comm::agree_on(comm, [&] { return data::distinct_integers(shard.values[label], k_most_integer_classes); });
    auto all = comm.gather_all(std::span<const std::int64_t>(own));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Criterion decide_criterion(Criterion asked, const data::ColumnSchema& label, std::size_t distinct) {
    if (asked != Criterion::automatic) {
        const bool wants_classes = asked != Criterion::squared_error;
        if (wants_classes && (label.type == ColumnType::float32 || label.type == ColumnType::float64)) {
            throw InputError("label '" + label.name +
                             "' holds decimal numbers, which are no classes; use --objective squared_error");
        }
        if (!wants_classes && label.type == ColumnType::category) {
            throw InputError("label '" + label.name +
                             "' holds categories, which are no numbers; use --objective gini or entropy");
        }
        return asked;
    }
    if (label.type == ColumnType::category) return Criterion::gini;
    if (label.type == ColumnType::float32 || label.type == ColumnType::float64) return Criterion::squared_error;
    if (distinct < 2) throw InputError("label '" + label.name + "' has only one value; there is nothing to learn");
    if (distinct == 2) return Criterion::gini;
    throw ConfigError(criterion_hint(label.name));
}

/// Class of each row and the class names; every rank gets the same names.
void set_classes(comm::Communicator& comm, const data::TableShard& shard, std::size_t label,
                 const std::vector<std::int64_t>& integers, TrainingSet& set) {
    const data::ColumnSchema& column = shard.schema.columns[label];
    auto& classes = set.target.classes;
    resize_large(classes, shard.rows);
    comm::agree_on(comm, [&] {
        if (column.type == ColumnType::category) {
            set.classes = column.categories;
            const auto& codes = std::get<std::vector<std::int32_t>>(shard.values[label]);
            for (std::size_t row = 0; row < shard.rows; ++row) classes[row] = static_cast<std::uint32_t>(codes[row]);
            return;
        }
        if (integers.size() > k_most_integer_classes) {
            throw InputError("label '" + column.name + "' has more than " + std::to_string(k_most_integer_classes) +
                             " different integers: too many for classes; use --objective squared_error");
        }
        for (const auto value : integers) set.classes.push_back(to_text(value));
        data::places_of_integers(shard.values[label], integers, classes);
    });
    std::vector<std::uint64_t> counts(set.classes.size(), 0);
    for (const auto k : classes) counts[k] += 1;
    comm.sum(std::span<std::uint64_t>(counts));
    const auto present = std::count_if(counts.begin(), counts.end(), [](std::uint64_t n) { return n != 0; });
    if (present < 2) {
        throw InputError("label '" + column.name + "' has only one class; there is nothing to tell apart");
    }
    set.target.layout.classes = static_cast<std::uint32_t>(set.classes.size());
}

/// Multiplier of each class.
std::vector<double> class_weights(comm::Communicator& comm, const TrainingSet& set,
                                  const std::vector<std::string>& asked, const std::vector<double>& row_weights) {
    std::vector<double> weights(set.classes.size(), 1.0);
    if (asked.empty()) return weights;
    if (set.classes.empty()) throw ConfigError("--class-weight is for classification");
    if (asked.size() == 1 && asked[0] == "balanced") {
        // n / (K * n_k), counting rows of positive weight, as others define it.
        std::vector<std::uint64_t> counts(weights.size(), 0);
        for (std::size_t row = 0; row < set.target.classes.size(); ++row) {
            if (row_weights.empty() || row_weights[row] > 0) counts[set.target.classes[row]] += 1;
        }
        comm.sum(std::span<std::uint64_t>(counts));
        std::uint64_t all = 0;
        std::uint64_t present = 0;
        for (const auto n : counts) {
            all += n;
            present += n != 0 ? 1 : 0;
        }
        for (std::size_t k = 0; k < weights.size(); ++k) {
            if (counts[k] == 0) continue;
            weights[k] = static_cast<double>(all) / (static_cast<double>(present) * static_cast<double>(counts[k]));
        }
        return weights;
    }
    for (const auto& pair : asked) {
        const auto equals = pair.rfind('=');
        const auto name = pair.substr(0, equals);
        const auto found = std::find(set.classes.begin(), set.classes.end(), name);
        const auto parsed = equals == std::string::npos ? ParsedNumber<double>{0, NumberStatus::not_a_number_text}
                                                        : parse_double(std::string_view(pair).substr(equals + 1));
        if (found == set.classes.end() || parsed.status != NumberStatus::ok || !(parsed.value >= 0)) {
            throw ConfigError(
                "--class-weight '" + pair +
                "': give 'balanced' or class=weight with a class of the label and a weight of at least 0");
        }
        weights[static_cast<std::size_t>(found - set.classes.begin())] = parsed.value;
    }
    return weights;
}

/// The rows' own weights, or empty when the table has none.
std::vector<double> read_weights(const data::TableShard& shard) {
    std::vector<double> weights;
    const auto column = shard.schema.find(ColumnRole::weight);
    if (!column) return weights;
    weights.resize(shard.rows);
    for (std::size_t row = 0; row < shard.rows; ++row) {
        weights[row] = number_at(shard, *column, row);
        if (!(weights[row] >= 0) || std::isinf(weights[row])) {
            throw InputError("weight '" + shard.schema.columns[*column].name + "', " + row_text(shard, row) +
                             ": a weight is a number of at least 0");
        }
    }
    return weights;
}

void quantise_weights(comm::Communicator& comm, TrainingSet& set, const std::vector<double>& weights) {
    train::WeightFacts facts;
    double not_integer = 0;
    for (const double w : weights) {
        facts.largest = std::max(facts.largest, w);
        if (w != std::floor(w)) not_integer = 1;
    }
    std::array<double, 2> most{facts.largest, not_integer};
    comm.max(std::span<double>(most));
    // Bounding the sum by rows times the largest keeps it independent of the order of adding.
    facts.largest = most[0];
    facts.sum_bound = most[0] * static_cast<double>(set.global_rows);
    facts.all_integers = most[1] == 0;
    if (!std::isfinite(facts.sum_bound)) {
        throw InputError("the weights are too large: rows times the largest weight must stay below 1e308");
    }
    const double unit = train::choose_weight_unit(facts, set.target.layout.regression());
    set.target.scale.weight_unit = unit;
    set.target.is_weighted = true;
    set.target.weights.resize(weights.size());
    set.left_out.assign(weights.size(), false);
    bool any_left_out = false;
    for (std::size_t row = 0; row < weights.size(); ++row) {
        set.target.weights[row] = std::max<std::int64_t>(train::quantise(weights[row], unit), 1);
        if (weights[row] == 0) set.left_out[row] = any_left_out = true;
    }
    if (!any_left_out) set.left_out.clear();
}

/// Rows of weight zero teach nothing: the others must hold two classes, or at least one row for numbers.
void require_weighted_rows(comm::Communicator& comm, const TrainingSet& set) {
    std::vector<std::uint64_t> rows(std::max<std::size_t>(set.classes.size(), 1), 0);
    for (std::size_t row = 0; row < set.rows(); ++row) {
        if (!set.left_out.empty() && set.left_out[row]) continue;
        rows[set.target.layout.regression() ? 0 : set.target.classes[row]] += 1;
    }
    comm.sum(std::span<std::uint64_t>(rows));
    const auto present = std::count_if(rows.begin(), rows.end(), [](std::uint64_t n) { return n != 0; });
    if (present < (set.target.layout.regression() ? 1 : 2)) {
        throw InputError("the rows of positive weight hold " +
                         std::string(present == 0 ? "nothing" : "only one class") + "; there is nothing to learn");
    }
}

std::int64_t total_weight(comm::Communicator& comm, const TrainingSet& set) {
    if (!set.target.is_weighted && set.left_out.empty()) return static_cast<std::int64_t>(set.global_rows);
    std::int64_t total = 0;
    for (std::size_t row = 0; row < set.rows(); ++row) {
        if (set.left_out.empty() || !set.left_out[row]) total += set.target.weight(row);
    }
    comm.sum(std::span(&total, 1));
    return total;
}

/// The weight that the rows of a tree have at most.
std::int64_t weight_bound(comm::Communicator& comm, const TrainingSet& set, Resampling resampling) {
    if (resampling == Resampling::none || !set.target.is_weighted) return total_weight(comm, set);
    std::uint64_t largest = 1;
    for (const auto weight : set.target.weights) largest = std::max(largest, static_cast<std::uint64_t>(weight));
    return static_cast<std::int64_t>(comm.max(largest) * set.global_rows);
}

/// Targets in units, less their mean; the mean is over rows, exact, and so the same on any number of ranks.
void quantise_values(comm::Communicator& comm, TrainingSet& set, const data::TableShard& shard, std::size_t label,
                     Resampling resampling) {
    auto& values = set.target.values;
    values.resize(shard.rows);
    double largest = 0;
    const ColumnType type = shard.schema.columns[label].type;
    data::for_each_number(type, shard.values[label],
                          [&](std::size_t, double number) { largest = std::max(largest, std::fabs(number)); });
    comm::agree_on(comm, [&] {
        if (std::isinf(largest)) throw InputError("label '" + set.label_name + "' holds an infinite value");
    });
    comm.max(std::span(&largest, 1));
    const double unit = train::choose_value_unit(largest, weight_bound(comm, set, resampling));
    Int128 sum = 0;
    data::for_each_number(type, shard.values[label], [&](std::size_t row, double number) {
        values[row] = train::quantise(number, unit);
        sum += values[row];
    });
    comm.sum(std::span(&sum, 1));
    const auto mean = static_cast<std::int64_t>(sum / static_cast<Int128>(set.global_rows));
    for (auto& value : values) value -= mean;
    set.target.scale.value_unit = unit;
    set.target.scale.value_offset = mean;
}

void take_features(comm::Communicator& comm, data::TableShard& shard, TrainingSet& set) {
    comm::agree_on(comm, [&] { check_features(shard); });
    for (const auto i : shard.schema.features()) {
        set.features.push_back(make_feature(shard.schema.columns[i]));
        set.columns.push_back(std::move(shard.values[i]));
    }
}

}  // namespace

model::Feature make_feature(const data::ColumnSchema& column) {
    model::Feature feature;
    feature.name = column.name;
    feature.kind = column.type == ColumnType::category ? model::FeatureKind::category : model::FeatureKind::numeric;
    feature.precision =
        column.type == ColumnType::float32 ? model::NumericPrecision::float32 : model::NumericPrecision::float64;
    feature.categories = column.categories;
    return feature;
}

void check_features(const data::TableShard& shard) {
    for (const auto i : shard.schema.features()) check_feature(shard.schema.columns[i], shard.values[i], shard);
}

std::vector<std::uint32_t> numeric_features(const TrainingSet& set) {
    std::vector<std::uint32_t> numeric;
    for (std::uint32_t f = 0; f < set.features.size(); ++f) {
        if (set.features[f].kind == model::FeatureKind::numeric) numeric.push_back(f);
    }
    return numeric;
}

TrainingSet make_target_set(comm::Communicator& comm, const data::TableShard& shard,
                            const train::CartOptions& options, Resampling resampling) {
    TrainingSet set;
    set.global_rows = comm.sum(shard.rows);
    if (set.global_rows == 0) throw InputError("the table has no rows");
    const std::size_t label = label_index(shard.schema);
    const data::ColumnSchema column = shard.schema.columns[label];
    set.label_name = column.name;
    comm::agree_on(comm, [&] { check_labels_present(shard, label); });
    const bool integers = column.type == ColumnType::int32 || column.type == ColumnType::int64;
    const auto distinct = integers ? all_integers(comm, shard, label) : std::vector<std::int64_t>{};
    set.target.criterion = decide_criterion(options.criterion, column, distinct.size());
    std::vector<double> weights = comm::agree_on(comm, [&] { return read_weights(shard); });
    if (set.target.criterion == Criterion::squared_error) {
        set.task = model::Task::regression;
        if (!options.class_weight.empty()) throw ConfigError("--class-weight is for classification");
        set.target.values.resize(shard.rows);
    } else {
        set_classes(comm, shard, label, distinct, set);
        const auto multipliers = class_weights(comm, set, options.class_weight, weights);
        if (!options.class_weight.empty()) {
            weights.resize(shard.rows, 1.0);
            for (std::size_t row = 0; row < shard.rows; ++row) weights[row] *= multipliers[set.target.classes[row]];
        }
    }
    const bool weighted = comm.max(static_cast<std::uint64_t>(!weights.empty())) != 0;
    if (weighted) weights.resize(shard.rows, 1.0);
    if (weighted) {
        quantise_weights(comm, set, weights);
        require_weighted_rows(comm, set);
    }
    if (set.task == model::Task::regression && set.global_rows >= k_most_regression_rows) {
        throw LimitError("regression takes fewer than 2^31 rows, this table has " + std::to_string(set.global_rows));
    }
    if (set.task == model::Task::regression) quantise_values(comm, set, shard, label, resampling);
    set.entropy = train::EntropyTerms(total_weight(comm, set), set.target.scale.weight_unit);
    return set;
}

TrainingSet make_training_set(comm::Communicator& comm, data::TableShard shard, const train::CartOptions& options,
                              Resampling resampling, FeatureColumns features) {
    TrainingSet set = make_target_set(comm, shard, options, resampling);
    take_features(comm, shard, set);
    if (set.features.empty() && features == FeatureColumns::required) {
        throw InputError("the table has no feature columns");
    }
    return set;
}

}  // namespace regrove::dist
