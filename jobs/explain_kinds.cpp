// The table of kinds; the first is the default.
#include "explain_kinds.hpp"

#include <vector>

namespace regrove::jobs {

std::span<const ExplainKind> explain_kinds() {
    static const std::vector<ExplainKind> kinds{
        explain_gain(), explain_splits(),  explain_cover(), explain_permutation(),
        explain_nu(),   explain_shapley(), explain_shap(),  explain_partial_dependence()};
    return kinds;
}

std::string names_of_kinds_with_rows() {
    std::string names;
    for (const ExplainKind& kind : explain_kinds())
        if (kind.rows != RowsNeeded::none) names += (names.empty() ? "" : ", ") + kind.name;
    return names;
}

}  // namespace regrove::jobs
