// NDCG: how near a ranking of groups of rows comes to the one by true relevance, the first places counting most.
//
// Gains are 2^relevance - 1 and discounts 1 / log2(place + 2), places from zero (Burges et al. 2005). Rows of equal score
// get the mean of their places' discounts, so that no order among them is favoured (McSherry and Najork 2008). A group
// without relevant rows counts as 1, as in XGBoost and LightGBM; a group's weight is that of its first row.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/portable_math.hpp"

#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

/// 2^relevance - 1; between whole relevances, and below zero, as the formula has it.
double gain(double relevance) {
    const double whole = std::floor(relevance);
    const double part = relevance - whole;
    const double scale = part == 0 ? 1.0 : portable::exp(part * 0x1.62e42fefa39efp-1);  // 2^part
    return std::ldexp(scale, static_cast<int>(std::clamp(whole, -1000.0, 1000.0))) - 1;
}

class GroupScore {
  public:
    explicit GroupScore(double places)
        : places_(places == k_all_places ? std::numeric_limits<std::size_t>::max()
                                         : static_cast<std::size_t>(places)) {}

    double of(std::span<const double> truth, std::span<const double> score) {
        order_.resize(truth.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        const double best = sum(truth, truth);
        return best > 0 ? sum(truth, score) / best : 1.0;
    }

  private:
    double discount(std::size_t place) {
        while (discounts_.size() <= place)
            discounts_.push_back(1 / portable::log2(static_cast<double>(discounts_.size() + 2)));
        return place < places_ ? discounts_[place] : 0.0;
    }

    /// Gains discounted by the places that the keys give.
    double sum(std::span<const double> truth, std::span<const double> key) {
        std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return key[a] > key[b]; });
        double total = 0;
        for (std::size_t begin = 0; begin < std::min(order_.size(), places_);) {
            ExactSum gains;  // ties in any order
            double discounts = 0;
            std::size_t end = begin;
            for (; end < order_.size() && key[order_[end]] == key[order_[begin]]; ++end) {
                gains.add(gain(truth[order_[end]]));
                discounts += discount(end);
            }
            total += gains.value() * (discounts / static_cast<double>(end - begin));
            begin = end;
        }
        return total;
    }

    std::size_t places_;
    std::vector<double> discounts_;
    std::vector<std::size_t> order_;
};

Summary accumulate(const Predictions& p, double places) {
    if (p.rows == 0) return {};
    REGROVE_CHECK(!p.group_begins.empty());
    GroupScore score(places);
    std::array<ExactSum, 2> score_and_mass;
    for (std::size_t group = 0; group + 1 < p.group_begins.size(); ++group) {
        const std::size_t begin = p.group_begins[group];
        const std::size_t size = p.group_begins[group + 1] - begin;
        if (size == 0) continue;
        score_and_mass[0].add_product(
            p.weight_of(begin), score.of(p.true_value.subspan(begin, size), p.predicted_value.subspan(begin, size)));
        score_and_mass[1].add(p.weight_of(begin));
    }
    return to_summary(score_and_mass);
}

double finish(const Summary& merged, std::uint32_t) {
    return exact_sum_at(merged, 0).value() / exact_sum_at(merged, 1).value();
}

}  // namespace

Metric ndcg(double places) {
    if (!(places >= 0 && places <= 1e9 && places == std::floor(places)))
        throw ConfigError("metric ndcg: the number of places must be a whole number");
    return {.name = places == k_all_places ? "ndcg" : "ndcg@" + to_text(places),
            .description = "how near the ranking of each group comes to the best; @K: its first K places only",
            .aliases = {"ndcg_score"},
            .task = Task::regression,
            .larger_is_better = true,
            .needs_groups = true,
            .accumulate = [places](const Predictions& p) { return accumulate(p, places); },
            .finish = finish,
            .with_parameter = ndcg};
}

}  // namespace regrove::metric
