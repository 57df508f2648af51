// Softmax loss of several classes: one score a class.
#include <cmath>
#include <limits>
#include <memory>

#include "regrove/core/portable_math.hpp"

#include "label_checks.hpp"
#include "label_sums.hpp"
#include "objective_rows.hpp"

namespace regrove::objective {
namespace {

/// The hessian is twice p (1 - p): a row's full matrix of second derivatives, diag(p) - p p', is at most twice its
/// diagonal (each row's other elements add up to the diagonal one), so that all classes' trees of a round may step at
/// once without overshooting.
class Softmax final : public Objective {
  public:
    Softmax(const ObjectiveOptions& options, std::uint32_t classes)
        : classes_(classes), from_average_(options.boost_from_average == FirstScores::average) {}

    std::string_view name() const override { return "softmax"; }
    model::Link link() const override { return model::Link::softmax; }
    std::string default_metric() const override { return "log_loss"; }
    HessianKind hessian_kind() const override { return HessianKind::twice; }
    std::uint32_t scores() const override { return classes_; }

    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "a class index below the number of classes",
                       [&](double y) { return y >= 0 && y < static_cast<double>(classes_) && y == std::floor(y); });
    }

    void derivatives(const LabelledRows& rows, std::span<const double> scores, const Derivatives& out,
                     std::size_t begin, std::size_t end) const override {
        std::vector<double> p(classes_);
        for (std::size_t i = begin; i < end; ++i) {
            probabilities(scores, rows.rows(), i, p);
            const double weight = rows.weight(i);
            const auto own = static_cast<std::size_t>(rows.labels[i]);
            for (std::size_t k = 0; k < classes_; ++k) {
                out.gradient[k * rows.rows() + i] = weight * (p[k] - (k == own ? 1.0 : 0.0));
                out.hessian[k * rows.rows() + i] = weight * (2.0 * p[k] * (1.0 - p[k]));
            }
        }
    }

    double loss(const LabelledRows& rows, std::span<const double> scores) const override {
        std::vector<double> p(classes_);
        double total = 0;
        for (std::size_t i = 0; i < rows.rows(); ++i) {
            probabilities(scores, rows.rows(), i, p);
            const double likely = p[static_cast<std::size_t>(rows.labels[i])];
            total -= rows.weight(i) * portable::log(std::max(likely, std::numeric_limits<double>::min()));
        }
        return total;
    }

    std::vector<std::int64_t> summarise(const LabelledRows& rows) const override {
        return sum_classes(rows, classes_);
    }

    std::vector<double> initial_scores(std::span<const std::int64_t> merged) const override {
        if (!from_average_) return std::vector<double>(classes_, 0.0);
        std::vector<double> scores = class_shares(merged, classes_);
        for (double& score : scores) score = portable::log(score);
        return scores;
    }

  private:
    static void probabilities(std::span<const double> scores, std::size_t rows, std::size_t row,
                              std::vector<double>& p) {
        for (std::size_t k = 0; k < p.size(); ++k) p[k] = scores[k * rows + row];
        model::softmax(p, p);
    }

    std::uint32_t classes_;
    bool from_average_;
};

}  // namespace

ObjectiveRow softmax() {
    return {"softmax",
            "classes: one score and one tree a class and round",
            {"multi:softprob", "multi:softmax", "multiclass", "MultiClass", "cross_entropy"},
            LabelKind::classes,
            [](const ObjectiveOptions& options, std::uint32_t classes) -> std::unique_ptr<Objective> {
                return std::make_unique<Softmax>(options, classes);
            }};
}

}  // namespace regrove::objective
