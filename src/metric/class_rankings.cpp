// Sorting once, then one part of the ranking after the other.
#include "class_rankings.hpp"

#include <algorithm>
#include <tuple>

namespace regrove::metric {
namespace {

auto key(const ScoredRows& rows) { return std::tie(rows.column, rows.score, rows.positive, rows.weight); }

}  // namespace

Summary rank_by_class(const Predictions& p) {
    std::vector<ScoredRows> all;
    const std::uint32_t first = p.classes == 2 ? 1 : 0;
    all.reserve(p.rows * (p.classes - first));
    for (std::uint32_t c = first; c < p.classes; ++c) {
        for (std::size_t r = 0; r < p.rows; ++r) {
            const bool positive = static_cast<std::uint32_t>(p.true_class[r]) == c;
            // -0 and 0 are one score.
            all.push_back({c, positive ? 1U : 0U, p.probability[r * p.classes + c] + 0.0, p.weight_of(r), 1});
        }
    }
    std::ranges::sort(all, [](const auto& a, const auto& b) { return key(a) < key(b); });
    Summary summary;
    for (const ScoredRows& rows : all) {
        if (!summary.ranking.empty() && key(summary.ranking.back()) == key(rows)) {
            ++summary.ranking.back().count;
        } else {
            summary.ranking.push_back(rows);
        }
    }
    return summary;
}

double mean_over_classes(const Summary& merged, double (*one_class)(std::span<const ScoredRows> ranking)) {
    const std::span<const ScoredRows> ranking(merged.ranking);
    double sum = 0;
    double defined = 0;
    for (std::size_t begin = 0; begin < ranking.size();) {
        std::size_t end = begin;
        while (end < ranking.size() && ranking[end].column == ranking[begin].column) ++end;
        const double one = one_class(ranking.subspan(begin, end - begin));
        begin = end;
        if (one != one) continue;
        sum += one;
        defined += 1;
    }
    return sum / defined;
}

}  // namespace regrove::metric
