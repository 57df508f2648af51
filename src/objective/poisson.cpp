// Poisson: counts whose mean is e^score.
#include <cmath>
#include <memory>

#include "regrove/core/portable_math.hpp"

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

struct PoissonFormula {
    Slope at(double label, double score) const {
        const double mean = portable::exp(score);
        return {mean - label, mean};
    }
    double loss(double label, double score) const { return portable::exp(score) - label * score; }
};

class Poisson final : public OneScore<PoissonFormula> {
  public:
    explicit Poisson(const ObjectiveOptions& options) : OneScore(options, PoissonFormula{}) {}
    std::string_view name() const override { return "poisson"; }
    model::Link link() const override { return model::Link::exponential; }
    std::string default_metric() const override { return "poisson_deviance"; }
    HessianKind hessian_kind() const override { return HessianKind::exact; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers from 0 up",
                       [](double y) { return std::isfinite(y) && y >= 0; });
    }
    /// A leaf far above its mean would jump by (label - mean) / mean.
    double default_max_delta_step() const override { return 0.7; }

  protected:
    double best_constant(std::span<const std::int64_t> merged) const override { return log_of_mean(merged, name()); }
};

}  // namespace

ObjectiveRow poisson() {
    return {"poisson",
            "counts whose mean is e^score",
            {"count:poisson", "Poisson"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Poisson>(options);
            }};
}

}  // namespace regrove::objective
