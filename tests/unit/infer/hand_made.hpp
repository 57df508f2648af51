// Models and tables of a few lines each for the tests of predictions.
#pragma once

#include <initializer_list>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::infer {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double k_inf = std::numeric_limits<double>::infinity();

inline std::vector<std::uint64_t> bits(std::initializer_list<std::uint32_t> categories) {
    std::vector<std::uint64_t> set;
    for (const auto c : categories) model::insert(set, c);
    return set;
}

/// x_feature > threshold, with an unlimited training range.
inline model::Question above(std::uint32_t feature, double threshold) {
    model::Question question;
    question.kind = model::QuestionKind::threshold;
    question.feature = FeatureId{feature};
    question.threshold = threshold;
    question.training_low = -k_inf;
    question.training_high = k_inf;
    return question;
}

inline model::Question one_of(std::uint32_t feature, std::initializer_list<std::uint32_t> right,
                              std::initializer_list<std::uint32_t> seen) {
    model::Question question;
    question.kind = model::QuestionKind::category;
    question.feature = FeatureId{feature};
    question.right_categories = bits(right);
    question.seen_categories = bits(seen);
    return question;
}

inline model::Node leaf(std::vector<double> value) {
    model::Node node;
    node.value = std::move(value);
    return node;
}

inline model::Node inner(model::Question question, std::uint32_t left, std::uint32_t right,
                         std::vector<double> value) {
    model::Node node;
    node.question = std::move(question);
    node.left = NodeId{left};
    node.right = NodeId{right};
    node.value = std::move(value);
    return node;
}

/// One question with leaves that answer 0 on the left, 1 on the right.
inline model::Tree stump(model::Question question) {
    return {{inner(std::move(question), 1, 2, {0.5}), leaf({0}), leaf({1})}};
}

inline model::Feature numeric(std::string name,
                              model::NumericPrecision precision = model::NumericPrecision::float64) {
    return {std::move(name), model::FeatureKind::numeric, precision, {}};
}

inline model::Feature category(std::string name, std::vector<std::string> categories) {
    return {std::move(name), model::FeatureKind::category, model::NumericPrecision::float64, std::move(categories)};
}

inline model::Ensemble regression(std::vector<model::Feature> features, std::vector<model::Tree> trees) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "y", {}).features(std::move(features));
    for (auto& tree : trees) builder.add_tree(std::move(tree));
    return std::move(builder).build();
}

struct NamedColumn {
    data::ColumnSchema schema;
    data::ColumnValues values;
};

inline NamedColumn numbers(std::string name, std::vector<double> values) {
    return {{std::move(name), data::ColumnType::float64, data::ColumnRole::feature, {}}, std::move(values)};
}

inline NamedColumn codes(std::string name, std::vector<std::string> dictionary, std::vector<std::int32_t> values) {
    return {{std::move(name), data::ColumnType::category, data::ColumnRole::feature, std::move(dictionary)},
            std::move(values)};
}

inline data::TableShard table(std::vector<NamedColumn> columns) {
    data::TableShard shard;
    for (auto& column : columns) {
        shard.rows = data::row_count(column.values);
        shard.schema.columns.push_back(std::move(column.schema));
        shard.values.push_back(std::move(column.values));
    }
    shard.global_rows = shard.rows;
    return shard;
}

}  // namespace regrove::infer
