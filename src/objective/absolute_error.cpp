// Absolute error, |score - label|: trees learn the median, leaves are refitted with that of their residuals.
#include <cmath>
#include <memory>

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

/// The second derivative is zero almost everywhere: the row's weight stands in, so that splits compare counts of signs.
struct AbsoluteFormula {
    Slope at(double label, double score) const {
        const double sign = score > label ? 1.0 : score < label ? -1.0 : 0.0;
        return {sign, 1.0};
    }
    double loss(double label, double score) const { return std::abs(score - label); }
};

class AbsoluteError final : public OneScore<AbsoluteFormula> {
  public:
    explicit AbsoluteError(const ObjectiveOptions& options) : OneScore(options, AbsoluteFormula{}) {}
    std::string_view name() const override { return "absolute-error"; }
    model::Link link() const override { return model::Link::identity; }
    std::string default_metric() const override { return "mae"; }
    HessianKind hessian_kind() const override { return HessianKind::row_weight; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers", [](double y) { return std::isfinite(y); });
    }
    std::optional<double> refit_quantile() const override { return 0.5; }

  protected:
    std::optional<double> best_quantile() const override { return 0.5; }
};

}  // namespace

ObjectiveRow absolute_error() {
    return {"absolute-error",
            "|score - label|: the median; leaves are refitted with the median of their residuals",
            {"reg:absoluteerror", "regression_l1", "l1", "mae", "MAE"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<AbsoluteError>(options);
            }};
}

}  // namespace regrove::objective
