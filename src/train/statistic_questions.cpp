// Both ways between a cut and the categories behind it.
#include "regrove/train/statistic_questions.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"

namespace regrove::train {

namespace {

using model::Side;

Side side_of(std::uint32_t code, std::uint32_t last_left) { return code > last_left ? Side::right : Side::left; }

/// Where a question sends a category.
Side answer(const model::Question& question, std::uint32_t category) {
    if (!model::contains(question.seen_categories, category)) return question.heavier_side;
    return model::contains(question.right_categories, category) ? Side::right : Side::left;
}

/// The bins behind `last_left` go right, and rows without a value where the question says.
void set_right_bins(const StatisticFeature& feature, std::uint32_t last_left, const model::Question& question,
                    CodeQuestion& codes) {
    codes.right_begin = last_left + 1;
    codes.right_count = feature.bins - codes.right_begin + (question.missing_side == Side::right ? 1 : 0);
}

}  // namespace

void ask_for_categories(const StatisticFeature& feature, std::uint32_t channel, model::Question& question,
                        CodeQuestion& codes) {
    const StatisticBins& bins = feature.channels[channel];
    const std::uint32_t last_left = std::isinf(question.threshold)
                                        ? feature.bins - 1
                                        : static_cast<std::uint32_t>(std::floor(question.threshold));
    question.kind = model::QuestionKind::category;
    question.threshold = question.training_low = question.training_high = 0;
    question.heavier_side = side_of(bins.unseen_code, last_left);
    if (!question.missing_seen) question.missing_side = question.heavier_side;
    question.seen_categories = feature.present;
    question.right_categories.clear();
    for (std::uint32_t c = 0; c < bins.category_code.size(); ++c) {
        if (bins.category_code[c] <= last_left || !model::contains(feature.present, c)) continue;
        model::insert(question.right_categories, c);
    }
    set_right_bins(feature, last_left, question, codes);
}

CodeQuestion cut_of_categories(const StatisticFeature& feature, std::uint32_t channel,
                               const model::Question& question, const CodeColumn& column) {
    const StatisticBins& bins = feature.channels[channel];
    std::uint32_t first_right = feature.bins;
    for (std::uint32_t c = 0; c < bins.category_code.size(); ++c) {
        if (answer(question, c) == Side::right) {
            first_right = std::min<std::uint32_t>(first_right, bins.category_code[c]);
        }
    }
    bool agrees = first_right > 0 && question.heavier_side == side_of(bins.unseen_code, first_right - 1);
    for (std::uint32_t c = 0; agrees && c < bins.category_code.size(); ++c) {
        agrees = answer(question, c) == side_of(bins.category_code[c], first_right - 1);
    }
    if (!agrees) {
        throw ConfigError(
            "a question about feature " + std::to_string(feature.feature) +
            " is none about target statistics of this table: the model was made from other rows, labels or "
            "options");
    }
    CodeQuestion codes;
    codes.column = column;
    set_right_bins(feature, first_right - 1, question, codes);
    return codes;
}

}  // namespace regrove::train
