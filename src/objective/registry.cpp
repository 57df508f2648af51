// The table of objectives, and finding a row of it by name.
#include <algorithm>
#include <array>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/objective/objective.hpp"

#include "objective_rows.hpp"

namespace regrove::objective {

namespace {

/// Rows, and groups of rows, that a thread takes at a time.
constexpr std::size_t k_grain_rows = 8192;
constexpr std::size_t k_grain_groups = 64;

std::string list_of_names() {
    std::string names = "auto";
    for (const ObjectiveRow& row : all_objectives()) names += ", " + row.name;
    return names;
}

const char* automatic_name(std::uint32_t classes) {
    if (classes == 0) return "squared-error";
    return classes == 2 ? "logistic" : "softmax";
}

std::string label_words(std::uint32_t classes) {
    return classes == 0 ? "numbers" : std::to_string(classes) + (classes == 1 ? " class" : " classes");
}

void require_fit(const ObjectiveRow& row, std::uint32_t classes) {
    const bool for_classes = row.labels == LabelKind::classes || row.labels == LabelKind::two_classes;
    const bool fits = for_classes == (classes > 0) && (row.labels != LabelKind::two_classes || classes == 2);
    if (fits) return;
    const char* const wanted = row.labels == LabelKind::two_classes ? "a label of two classes"
                               : for_classes                        ? "a label of classes"
                                                                    : "a label of numbers";
    throw ConfigError("--objective " + row.name + " needs " + wanted + ", but the label holds " +
                      label_words(classes) + "; --objective auto takes " + automatic_name(classes));
}

}  // namespace

std::span<const ObjectiveRow> all_objectives() {
    static const std::array<ObjectiveRow, 10> rows{squared_error(), absolute_error(), huber(),   quantile(),
                                                   poisson(),       gamma(),          tweedie(), logistic(),
                                                   softmax(),       lambdamart()};
    return rows;
}

const ObjectiveRow& find_objective(std::string_view name) {
    std::string dashed(name);
    std::ranges::replace(dashed, '_', '-');
    for (const ObjectiveRow& row : all_objectives()) {
        if (row.name == dashed || std::ranges::find(row.aliases, name) != row.aliases.end()) return row;
    }
    throw ConfigError("no objective '" + std::string(name) + "'; there are: " + list_of_names());
}

std::unique_ptr<Objective> make_objective(const ObjectiveOptions& options, std::uint32_t classes) {
    const ObjectiveRow& row =
        find_objective(options.objective == "auto" ? automatic_name(classes) : options.objective);
    require_fit(row, classes);
    return row.make(options, classes);
}

void all_derivatives(const Objective& objective, const LabelledRows& rows, std::span<const double> scores,
                     const Derivatives& out) {
    const bool grouped = objective.grouped();
    parallel_for_blocks(
        grouped ? rows.groups() : rows.rows(), grouped ? k_grain_groups : k_grain_rows,
        [&](std::size_t begin, std::size_t end) { objective.derivatives(rows, scores, out, begin, end); });
}

}  // namespace regrove::objective
