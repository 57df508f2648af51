// A question in the words of a node box: "worst_area > 880.8", "thal in {normal, fixed, +3 more}", short enough to
// read.
#pragma once

#include <string>
#include <vector>

#include "regrove/draw/text_metrics.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::draw {

struct QuestionWords {
    std::vector<std::string> lines;  ///< one or two; "yes" sends a row right
    bool complete = true;            ///< false when names or categories were left out to save room
};

/// The question of an inner node; every line is at most `max_width` pixels wide, a single line at most nine tenths.
QuestionWords question_words(const model::Node& node, const std::vector<model::Feature>& features, Font font,
                             double max_width);

/// The categories of one side among those that training saw at the node (all, if the model does not say), in code
/// order.
std::vector<std::string> side_categories(const model::Question& question, const model::Feature& feature,
                                         model::Side side);

}  // namespace regrove::draw
