// LambdaMART: ranking by pairs, each weighted with what swapping the two would change of the group's NDCG.
//
// Source: Burges, "From RankNet to LambdaRank to LambdaMART: an overview" (2010). Gains are 2^relevance - 1, discounts
// 1 / log2(place + 2) with places from zero.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "regrove/core/check.hpp"
#include "regrove/core/portable_math.hpp"

#include "label_checks.hpp"
#include "objective_rows.hpp"

namespace regrove::objective {
namespace {

constexpr double k_highest_relevance = 31;

double gain(double relevance) {
    return static_cast<double>((std::uint64_t{1} << static_cast<unsigned>(relevance)) - 1);
}

/// The rows of one group and where the scores put them.
class Group {
  public:
    Group(const LabelledRows& rows, std::span<const double> scores, std::size_t group,
          std::span<const double> discounts)
        : begin_(rows.group_begins[group]), labels_(rows.labels), scores_(scores), discounts_(discounts) {
        order_.resize(rows.group_begins[group + 1] - begin_);
        std::iota(order_.begin(), order_.end(), begin_);
        // Equal scores stay in the order of the rows.
        std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
        std::vector<double> gains;
        for (const std::size_t row : order_) gains.push_back(gain(rows.labels[row]));
        std::ranges::sort(gains, std::greater<>());
        for (std::size_t place = 0; place < std::min(gains.size(), discounts.size()); ++place)
            ideal_ += gains[place] * discounts[place];
    }

    /// Calls visit(better row, worse row, weight) for each pair of different relevance with one of the two in the places
    /// that count.
    template <class Visit>
    void for_each_pair(Visit visit) const {
        if (!(ideal_ > 0)) return;
        for (std::size_t high = 0; high < std::min(order_.size(), discounts_.size()); ++high) {
            for (std::size_t low = high + 1; low < order_.size(); ++low) {
                const double a = labels_[order_[high]];
                const double b = labels_[order_[low]];
                if (a == b) continue;
                const double discount = discounts_[high] - (low < discounts_.size() ? discounts_[low] : 0.0);
                const double weight = std::abs(gain(a) - gain(b)) * discount / ideal_;
                visit(order_[a > b ? high : low], order_[a > b ? low : high], weight);
            }
        }
    }

  private:
    std::size_t begin_;
    std::span<const double> labels_;
    std::span<const double> scores_;
    std::span<const double> discounts_;
    std::vector<std::size_t> order_;
    double ideal_ = 0;
};

class Lambdamart final : public Objective {
  public:
    explicit Lambdamart(const ObjectiveOptions& options) : discounts_(options.truncation) {
        for (std::size_t place = 0; place < discounts_.size(); ++place)
            discounts_[place] = 1.0 / portable::log2(static_cast<double>(place + 2));
    }

    std::string_view name() const override { return "lambdamart"; }
    model::Link link() const override { return model::Link::identity; }
    std::string default_metric() const override { return "ndcg"; }
    HessianKind hessian_kind() const override { return HessianKind::pair_weights; }
    bool grouped() const override { return true; }

    void check_labels(const LabelledRows& rows, std::uint64_t first_row) const override {
        require_labels(rows, first_row, name(), "a whole number from 0 to 31",
                       [](double y) { return y >= 0 && y <= k_highest_relevance && y == std::floor(y); });
    }

    void derivatives(const LabelledRows& rows, std::span<const double> scores, const Derivatives& out,
                     std::size_t begin, std::size_t end) const override {
        REGROVE_CHECK(end <= rows.groups());
        for (std::size_t group = begin; group < end; ++group) {
            const std::size_t first = rows.group_begins[group];
            const std::size_t size = rows.group_begins[group + 1] - first;
            std::ranges::fill(out.gradient.subspan(first, size), 0.0);
            std::ranges::fill(out.hessian.subspan(first, size), 0.0);
            if (size == 0) continue;
            const double group_weight = rows.weight(first);
            Group(rows, scores, group, discounts_)
                .for_each_pair([&](std::size_t up, std::size_t down, double weight) {
                    const double p = model::logistic(scores[down] - scores[up]);
                    const double push = group_weight * weight * p;
                    const double bend = group_weight * weight * (p * (1.0 - p));
                    out.gradient[up] -= push;
                    out.gradient[down] += push;
                    out.hessian[up] += bend;
                    out.hessian[down] += bend;
                });
        }
    }

    double loss(const LabelledRows&, std::span<const double>) const override {
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::vector<std::int64_t> summarise(const LabelledRows&) const override { return {}; }
    std::vector<double> initial_scores(std::span<const std::int64_t>) const override { return {0.0}; }

  private:
    std::vector<double> discounts_;
};

}  // namespace

ObjectiveRow lambdamart() {
    return {"lambdamart",
            "ranking within groups by NDCG; the label is the relevance, 0, 1, 2, ...",
            {"rank:ndcg", "rank:pairwise", "lambdarank", "YetiRank"},
            LabelKind::relevance,
            [](const ObjectiveOptions& options, std::uint32_t) -> std::unique_ptr<Objective> {
                return std::make_unique<Lambdamart>(options);
            }};
}

}  // namespace regrove::objective
