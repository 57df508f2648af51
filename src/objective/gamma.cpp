// Gamma: positive numbers whose mean is e^score and whose deviation grows with it.
#include <cmath>
#include <memory>

#include "regrove/core/portable_math.hpp"

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

struct GammaFormula {
    Slope at(double label, double score) const {
        const double share = label * portable::exp(-score);
        return {1.0 - share, share};
    }
    double loss(double label, double score) const { return score + label * portable::exp(-score); }
};

class Gamma final : public OneScore<GammaFormula> {
  public:
    explicit Gamma(const ObjectiveOptions& options) : OneScore(options, GammaFormula{}) {}
    std::string_view name() const override { return "gamma"; }
    model::Link link() const override { return model::Link::exponential; }
    std::string default_metric() const override { return "gamma_deviance"; }
    HessianKind hessian_kind() const override { return HessianKind::exact; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers above 0",
                       [](double y) { return std::isfinite(y) && y > 0; });
    }

  protected:
    double best_constant(std::span<const std::int64_t> merged) const override { return log_of_mean(merged, name()); }
};

}  // namespace

ObjectiveRow gamma() {
    return {"gamma",
            "positive numbers whose mean is e^score, the deviation proportional to it",
            {"reg:gamma"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Gamma>(options);
            }};
}

}  // namespace regrove::objective
