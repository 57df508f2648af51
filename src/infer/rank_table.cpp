// Which column and limit answer each question.
#include "rank_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include "regrove/core/check.hpp"

#include "rank_bytes.hpp"
#include "walk_costs.hpp"

namespace regrove::infer {

namespace {

using model::Question;
using model::QuestionKind;
using model::Side;

bool is_ranked(const Question& question) {
    return question.kind == QuestionKind::threshold && question.surrogates.empty();
}

/// The largest float, infinities included, that is not above the threshold: no float lies between them.
float float_border(double threshold) {
    constexpr double k_largest = std::numeric_limits<float>::max();
    if (std::isinf(threshold)) return static_cast<float>(threshold);
    if (threshold > k_largest) return std::numeric_limits<float>::max();
    if (threshold < -k_largest) return -std::numeric_limits<float>::infinity();
    const auto nearest = static_cast<float>(threshold);
    return static_cast<double>(nearest) > threshold ? std::nextafter(nearest, -std::numeric_limits<float>::infinity())
                                                    : nearest;
}

template <class Number>
void sort_once(std::vector<Number>& numbers) {
    std::ranges::sort(numbers);
    const auto twice = std::ranges::unique(numbers);
    numbers.erase(twice.begin(), twice.end());
}

/// Unless it was the last one: symmetric trees ask the same again and again.
template <class Number>
void append(std::vector<Number>& numbers, Number number) {
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
}

template <class Number>
void append_bytes(std::string& key, const Number& number) {
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_set(std::string& key, const std::vector<std::uint64_t>& set) {
    append_bytes(key, set.size());
    for (const std::uint64_t word : set) append_bytes(key, word);
}

/// All that decides where rows go.
std::string routing_key(const Question& question) {
    std::string key;
    append_bytes(key, question.kind);
    append_bytes(key, question.feature);
    append_bytes(key, question.threshold);
    append_set(key, question.right_categories);
    append_set(key, question.seen_categories);
    append_bytes(key, question.missing_side);
    append_bytes(key, question.heavier_side);
    for (const model::Surrogate& surrogate : question.surrogates) {
        append_bytes(key, surrogate.feature);
        append_bytes(key, surrogate.kind);
        append_bytes(key, surrogate.reversed);
        append_bytes(key, surrogate.threshold);
        append_set(key, surrogate.right_categories);
        append_set(key, surrogate.seen_categories);
    }
    return key;
}

std::int8_t whole_rank(bool right) { return right ? k_highest_rank : k_lowest_rank; }

/// Of a category question: by unknown, missing, codes.
std::vector<std::int8_t> category_ranks(const Question& question, std::uint32_t categories) {
    const bool heavier = question.heavier_side == Side::right;
    std::vector<std::int8_t> ranks{whole_rank(heavier), whole_rank(question.missing_side == Side::right)};
    for (std::uint32_t code = 0; code < categories; ++code)
        ranks.push_back(whole_rank(model::contains(question.seen_categories, code)
                                       ? model::contains(question.right_categories, code)
                                       : heavier));
    return ranks;
}

}  // namespace

WholeQuestions whole_questions(const model::Ensemble& ensemble) {
    WholeQuestions whole;
    std::unordered_set<std::size_t> seen;  // two keys of one hash would only be counted as one
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf() || is_ranked(node.question)) continue;
            const std::string key = routing_key(node.question);
            if (!seen.insert(std::hash<std::string>{}(key)).second) continue;
            ++whole.count;
            whole.bytes += key.size() + ensemble.features[index(node.question.feature)].categories.size();
        }
    return whole;
}

RankTable::RankTable(const model::Ensemble& ensemble, const ScoreKernels& kernels)
    : kernels_(kernels),
      borders_(ensemble.features.size()),
      read_(ensemble.features.size(), false),
      has_cells_(ensemble.features.size(), false) {
    for (const model::Feature& feature : ensemble.features)
        categories_.push_back(static_cast<std::uint32_t>(feature.categories.size()));
    collect_borders(ensemble);
    last_ranked_.resize(borders_.size(), nullptr);
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes)
            if (!node.is_leaf()) add_question(node.question);
    last_ranked_.clear();
    for (const bool has_cells : has_cells_) {
        first_cell_.push_back(cells_);
        if (has_cells) cells_ += k_rank_rows;
    }
}

void RankTable::collect_borders(const model::Ensemble& ensemble) {
    for (std::size_t f = 0; f < borders_.size(); ++f)
        borders_[f].narrow = ensemble.features[f].precision == model::NumericPrecision::float32;
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf() || !is_ranked(node.question)) continue;
            Borders& borders = borders_[index(node.question.feature)];
            if (borders.narrow)
                append(borders.floats, float_border(node.question.threshold));
            else
                append(borders.values, node.question.threshold);
        }
    for (Borders& borders : borders_) {
        sort_once(borders.values);
        sort_once(borders.floats);
        const std::size_t parts = (borders.size() + k_borders_of_column - 1) / k_borders_of_column;
        for (auto& columns : borders.column_of_part) columns.assign(parts, k_no_column);
    }
}

std::size_t RankTable::border_place(const Borders& borders, double threshold) const {
    const auto place = [](const auto& numbers, auto number) {
        const auto found = std::ranges::lower_bound(numbers, number);
        REGROVE_CHECK(found != numbers.end() && *found == number);
        return static_cast<std::size_t>(found - numbers.begin());
    };
    return borders.narrow ? place(borders.floats, float_border(threshold)) : place(borders.values, threshold);
}

void RankTable::add_question(const Question& question) {
    const std::size_t feature = index(question.feature);
    read_[feature] = true;
    if (is_ranked(question)) {
        const Question* const last = std::exchange(last_ranked_[feature], &question);
        if (last != nullptr && last->threshold == question.threshold && last->missing_side == question.missing_side)
            return;
        Borders& borders = borders_[feature];
        if (!borders.narrow) has_cells_[feature] = true;
        auto& columns = borders.column_of_part[question.missing_side == Side::right ? 1 : 0];
        std::uint32_t& column = columns[border_place(borders, question.threshold) / k_borders_of_column];
        if (column == k_no_column) column = columns_++;
        return;
    }
    has_cells_[feature] = true;
    for (const model::Surrogate& surrogate : question.surrogates)
        read_[index(surrogate.feature)] = has_cells_[index(surrogate.feature)] = true;
    const auto [at, is_new] = whole_of_key_.emplace(routing_key(question), wholes_.size());
    if (!is_new) return;
    Whole whole{&question, columns_++, {}};
    if (question.kind == QuestionKind::category) whole.goes_right = category_ranks(question, categories_[feature]);
    wholes_.push_back(std::move(whole));
}

RankTest RankTable::test(const Question& question) const {
    if (!is_ranked(question)) return {wholes_[whole_of_key_.at(routing_key(question))].column, k_highest_rank};
    const Borders& borders = borders_[index(question.feature)];
    const std::size_t place = border_place(borders, question.threshold);
    const auto& columns = borders.column_of_part[question.missing_side == Side::right ? 1 : 0];
    const auto within = static_cast<int>(place % k_borders_of_column);
    return {columns[place / k_borders_of_column], static_cast<std::int8_t>(k_lowest_rank + 1 + within)};
}

double RankTable::read_ns() const { return static_cast<double>(std::ranges::count(read_, true)) * k_read_feature_ns; }

double RankTable::rank_ns() const {
    double total = static_cast<double>(wholes_.size()) * k_whole_question_ns;
    for (const Borders& borders : borders_) {
        total += static_cast<double>(std::bit_width(borders.size())) * k_halve_borders_ns;
        for (const auto& columns : borders.column_of_part)
            total += static_cast<double>(columns.size() -
                                         static_cast<std::size_t>(std::ranges::count(columns, k_no_column))) *
                     k_write_column_ns;
    }
    return total;
}

}  // namespace regrove::infer
