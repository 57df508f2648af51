// Huber loss: squared near the label, linear from `huber_delta` on.
#include <algorithm>
#include <cmath>
#include <memory>

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

/// Beyond delta the second derivative is zero; the row's weight bounds it everywhere, so that no step overshoots.
struct HuberFormula {
    double delta;
    Slope at(double label, double score) const { return {std::clamp(score - label, -delta, delta), 1.0}; }
    double loss(double label, double score) const {
        const double distance = std::abs(score - label);
        return distance <= delta ? 0.5 * distance * distance : delta * (distance - 0.5 * delta);
    }
};

class Huber final : public OneScore<HuberFormula> {
  public:
    explicit Huber(const ObjectiveOptions& options) : OneScore(options, HuberFormula{options.huber_delta}) {}
    std::string_view name() const override { return "huber"; }
    model::Link link() const override { return model::Link::identity; }
    std::string default_metric() const override { return "mae"; }
    HessianKind hessian_kind() const override { return HessianKind::row_weight; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers", [](double y) { return std::isfinite(y); });
    }

  protected:
    /// Not quite the best constant, but as safe against outliers, and exact over ranks.
    std::optional<double> best_quantile() const override { return 0.5; }
};

}  // namespace

ObjectiveRow huber() {
    return {"huber",
            "squared error within huber_delta of the label, linear beyond; begins with the median",
            {"reg:pseudohubererror", "Huber"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Huber>(options);
            }};
}

}  // namespace regrove::objective
