// Tweedie: numbers from zero up, many of them zero, with variance mean^power and mean e^score.
#include <cmath>
#include <memory>

#include "regrove/core/number_text.hpp"
#include "regrove/core/portable_math.hpp"

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

struct TweedieFormula {
    double power;  ///< between 1 and 2
    Slope at(double label, double score) const {
        const double pull = label * portable::exp((1.0 - power) * score);
        const double push = portable::exp((2.0 - power) * score);
        return {push - pull, (2.0 - power) * push + (power - 1.0) * pull};
    }
    double loss(double label, double score) const {
        return label * portable::exp((1.0 - power) * score) / (power - 1.0) +
               portable::exp((2.0 - power) * score) / (2.0 - power);
    }
};

class Tweedie final : public OneScore<TweedieFormula> {
  public:
    explicit Tweedie(const ObjectiveOptions& options) : OneScore(options, TweedieFormula{options.tweedie_power}) {}
    std::string_view name() const override { return "tweedie"; }
    model::Link link() const override { return model::Link::exponential; }
    std::string default_metric() const override { return "tweedie_deviance@" + to_text(formula().power); }
    HessianKind hessian_kind() const override { return HessianKind::exact; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers from 0 up",
                       [](double y) { return std::isfinite(y) && y >= 0; });
    }

  protected:
    double best_constant(std::span<const std::int64_t> merged) const override { return log_of_mean(merged, name()); }
};

}  // namespace

ObjectiveRow tweedie() {
    return {"tweedie",
            "numbers from 0 up with many zeros: variance mean^tweedie_power, mean e^score",
            {"reg:tweedie", "Tweedie"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Tweedie>(options);
            }};
}

}  // namespace regrove::objective
