// Edit distance, cut short for long lists.
#include "regrove/core/nearest_name.hpp"

#include <algorithm>
#include <vector>

namespace regrove {

namespace {

/// Levenshtein distance; O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
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
