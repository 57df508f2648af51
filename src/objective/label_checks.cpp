// One pass over the labels.
#include "label_checks.hpp"

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::objective {

void require_labels(const LabelledRows& rows, std::uint64_t first_row, std::string_view objective, const char* needs,
                    const std::function<bool(double)>& is_good) {
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (is_good(rows.labels[i])) continue;
        throw InputError("row " + std::to_string(first_row + i) + ": the label is " + to_text(rows.labels[i]) +
                         ", but objective " + std::string(objective) + " needs " + needs);
    }
}

}  // namespace regrove::objective
