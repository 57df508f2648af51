// Random labelled rows that fit an objective, for tests that run over the whole table.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/objective/objective.hpp"

namespace regrove::objective {

constexpr std::uint32_t k_classes = 4;

struct LabelledCase {
    std::vector<double> labels;
    std::vector<double> weights;
    std::vector<double> scores;  ///< score-major
    std::vector<std::uint64_t> group_begins;

    LabelledRows rows() const { return {labels, weights, group_begins}; }
};

inline std::uint32_t classes_of(const ObjectiveRow& row) {
    if (row.labels == LabelKind::two_classes) return 2;
    return row.labels == LabelKind::classes ? k_classes : 0;
}

inline std::unique_ptr<Objective> make(const ObjectiveRow& row, ObjectiveOptions options = {}) {
    options.objective = row.name;
    return make_objective(options, classes_of(row));
}

inline double random_label(LabelKind kind, const CounterRandom& random, std::uint64_t i) {
    switch (kind) {
        case LabelKind::two_classes:
            return static_cast<double>(random.below(i, 2));
        case LabelKind::classes:
            return static_cast<double>(random.below(i, k_classes));
        case LabelKind::relevance:
            return static_cast<double>(random.below(i, 5));
        case LabelKind::number:
            break;
    }
    return 0.25 + 5 * random.uniform(i);  // positive, so that every objective of numbers takes it
}

inline LabelledCase random_case(const ObjectiveRow& row, std::size_t count, std::uint64_t seed) {
    const CounterRandom labels(seed, 1);
    const CounterRandom numbers(seed, 2);
    LabelledCase made;
    for (std::size_t i = 0; i < count; ++i) {
        made.labels.push_back(random_label(row.labels, labels, i));
        made.weights.push_back(0.5 + static_cast<double>(numbers.below(i, 4)));
    }
    const std::size_t scores = row.labels == LabelKind::classes ? k_classes : 1;
    for (std::size_t i = 0; i < count * scores; ++i) made.scores.push_back(4 * numbers.uniform(1000 + i) - 1.5);
    if (row.labels == LabelKind::relevance) {
        made.group_begins = {0};
        for (std::size_t end = 0; end < count;) {
            end = std::min<std::size_t>(count, end + 1 + numbers.below(5000 + end, 9));
            made.group_begins.push_back(end);
        }
    }
    return made;
}

}  // namespace regrove::objective
