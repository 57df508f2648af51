// Logistic loss of two classes: the score is the logarithm of their odds.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include "regrove/core/portable_math.hpp"

#include "label_checks.hpp"
#include "objective_rows.hpp"
#include "one_score.hpp"

namespace regrove::objective {
namespace {

constexpr std::size_t k_rows_a_piece = 1024;

struct LogisticFormula {
    Slope at(double label, double score) const {
        const double p = model::logistic(score);
        return {p - label, p * (1.0 - p)};
    }
    /// The same operations as `at`, a cache's share of rows at a time; `hessian` holds e^-|score| in between.
    void slopes(std::span<const double> labels, std::span<const double> scores, std::span<double> gradient,
                std::span<double> hessian) const {
        for (std::size_t begin = 0; begin < scores.size(); begin += k_rows_a_piece) {
            const std::size_t end = std::min(scores.size(), begin + k_rows_a_piece);
            for (std::size_t i = begin; i < end; ++i) hessian[i] = -std::abs(scores[i]);
            portable::exp_all(hessian.subspan(begin, end - begin));
            for (std::size_t i = begin; i < end; ++i) {
                const double small = hessian[i];
                const double p = (scores[i] < 0 ? small : 1.0) / (1.0 + small);
                gradient[i] = p - labels[i];
                hessian[i] = p * (1.0 - p);
            }
        }
    }
    /// ln(1 + e^score) - label * score.
    double loss(double label, double score) const {
        const double soft = portable::log(1.0 + portable::exp(-std::abs(score))) + (score > 0 ? score : 0.0);
        return soft - label * score;
    }
};

class Logistic final : public OneScore<LogisticFormula> {
  public:
    explicit Logistic(const ObjectiveOptions& options) : OneScore(options, LogisticFormula{}) {}
    std::string_view name() const override { return "logistic"; }
    model::Link link() const override { return model::Link::logistic; }
    std::string default_metric() const override { return "log_loss"; }
    HessianKind hessian_kind() const override { return HessianKind::exact; }
    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "class 0 or 1", [](double y) { return y == 0 || y == 1; });
    }
    std::vector<std::int64_t> summarise(const LabelledRows& rows) const override { return sum_classes(rows, 2); }

  protected:
    double best_constant(std::span<const std::int64_t> merged) const override {
        const std::vector<double> shares = class_shares(merged, 2);
        return portable::log(shares[1] / shares[0]);
    }
};

}  // namespace

ObjectiveRow logistic() {
    return {"logistic",
            "two classes: log odds",
            {"binary:logistic", "reg:logistic", "binary", "binary_logloss", "Logloss"},
            LabelKind::two_classes,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Logistic>(options);
            }};
}

}  // namespace regrove::objective
