// Quantile loss: a residual costs `quantile_alpha` above the score and one minus that below.
#include <cmath>
#include <memory>

#include "regrove/core/number_text.hpp"

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

/// As for absolute error the row's weight stands in for the second derivative.
struct QuantileFormula {
    double alpha;
    Slope at(double label, double score) const {
        const double slope = score > label ? 1.0 - alpha : score < label ? -alpha : 0.0;
        return {slope, 1.0};
    }
    double loss(double label, double score) const {
        return label >= score ? alpha * (label - score) : (1.0 - alpha) * (score - label);
    }
};

class Quantile final : public OneScore<QuantileFormula> {
  public:
    explicit Quantile(const ObjectiveOptions& options) : OneScore(options, QuantileFormula{options.quantile_alpha}) {}
    std::string_view name() const override { return "quantile"; }
    model::Link link() const override { return model::Link::identity; }
    std::string default_metric() const override { return "quantile_loss@" + to_text(formula().alpha); }
    HessianKind hessian_kind() const override { return HessianKind::row_weight; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers", [](double y) { return std::isfinite(y); });
    }
    std::optional<double> refit_quantile() const override { return formula().alpha; }

  protected:
    std::optional<double> best_quantile() const override { return formula().alpha; }
};

}  // namespace

ObjectiveRow quantile() {
    return {"quantile",
            "the quantile quantile_alpha; leaves are refitted with that of their residuals",
            {"reg:quantileerror", "Quantile"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Quantile>(options);
            }};
}

}  // namespace regrove::objective
