// The bins up to a threshold are found by bisection.
#include "regrove/train/question_codes.hpp"

#include <algorithm>
#include <string>

#include "regrove/core/error.hpp"
#include "regrove/train/boosting_split.hpp"

namespace regrove::train {

CodeQuestion codes_of_question(const model::Question& question, const binning::Bins& bins, const CodeColumn& column) {
    BoostingCandidate cut;
    if (question.kind == model::QuestionKind::threshold) {
        const auto lefts =
            std::upper_bound(bins.high.begin(), bins.high.end(), question.threshold) - bins.high.begin();
        const bool within =
            lefts < std::ssize(bins.low) && bins.low[static_cast<std::size_t>(lefts)] <= question.threshold;
        if (lefts == 0 || within) {
            throw ConfigError("a question about feature " + std::to_string(index(question.feature)) +
                              " does not stand between two bins of this table: the model was made from other rows or "
                              "with other options, or its thresholds are not those of bins");
        }
        cut.last_left_bin = static_cast<std::uint32_t>(lefts - 1);
    }
    return make_code_question(cut, question, bins, column);
}

}  // namespace regrove::train
