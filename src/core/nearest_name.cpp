// Edit distance, cut short for long lists.
#include "regrove/core/nearest_name.hpp"

#include <algorithm>
#include <vector>

namespace regrove {

namespace {

/// Letters to insert, remove, replace or swap with their neighbour; O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
    // At least one letter must be kept.
    std::size_t best_distance = std::min(std::max<std::size_t>(1, name.size() / 3) + 1, name.size());
    std::string best;
    for (const std::string& candidate : known) {
        const std::size_t length_gap =
            candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
        if (length_gap >= best_distance) continue;  // the distance is at least that: long lists stay cheap
        const std::size_t distance = edit_distance(name, candidate);
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = candidate;
    }
    return best;
}

}  // namespace regrove
