// Squared error, 1/2 (score - label)^2: trees learn the mean.
#include <cmath>
#include <memory>

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

struct SquaredFormula {
    Slope at(double label, double score) const { return {score - label, 1.0}; }
    double loss(double label, double score) const { return 0.5 * (score - label) * (score - label); }
};

class SquaredError final : public OneScore<SquaredFormula> {
  public:
    explicit SquaredError(const ObjectiveOptions& options) : OneScore(options, SquaredFormula{}) {}
    std::string_view name() const override { return "squared-error"; }
    model::Link link() const override { return model::Link::identity; }
    std::string default_metric() const override { return "rmse"; }
    HessianKind hessian_kind() const override { return HessianKind::exact; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "finite numbers", [](double y) { return std::isfinite(y); });
    }
    bool constant_hessian() const override { return true; }
};

}  // namespace

ObjectiveRow squared_error() {
    return {"squared-error",
            "1/2 (score - label)^2: the mean",
            {"squared_error", "reg:squarederror", "reg:linear", "regression", "regression_l2", "l2", "mse", "RMSE"},
            LabelKind::number,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<SquaredError>(options);
            }};
}

}  // namespace regrove::objective
