// Sets are told apart by feature and bits, zeros behind the last category not counted.
#include "category_set_table.hpp"

#include <bit>

namespace regrove::formats {

namespace {

std::string key_of(FeatureId feature, const std::vector<std::uint64_t>& categories) {
    std::size_t words = categories.size();
    while (words > 0 && categories[words - 1] == 0) --words;
    const auto number = static_cast<std::uint32_t>(feature);
    std::string key(reinterpret_cast<const char*>(&number), sizeof number);
    key.append(reinterpret_cast<const char*>(categories.data()), words * sizeof(std::uint64_t));
    return key;
}

bool is_long(const std::vector<std::uint64_t>& categories) {
    std::size_t count = 0;
    for (const std::uint64_t word : categories) count += static_cast<std::size_t>(std::popcount(word));
    return count > CategorySetTable::k_short_set;
}

/// Every set that some question or surrogate of the model asks for, in the order of the file.
template <class Visit>
void for_each_set(const model::Ensemble& ensemble, Visit visit) {
    const auto both = [&](const auto& split) {
        if (split.kind != model::QuestionKind::category) return;
        visit(split.feature, split.right_categories);
        visit(split.feature, split.seen_categories);
    };
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            both(node.question);
            for (const model::Surrogate& surrogate : node.question.surrogates) both(surrogate);
        }
}

}  // namespace

CategorySetTable::CategorySetTable(const model::Ensemble& ensemble) {
    std::unordered_map<std::string, std::size_t> occurrences;
    for_each_set(ensemble, [&](FeatureId feature, const std::vector<std::uint64_t>& categories) {
        if (is_long(categories)) ++occurrences[key_of(feature, categories)];
    });
    for_each_set(ensemble, [&](FeatureId feature, const std::vector<std::uint64_t>& categories) {
        if (!is_long(categories)) return;
        std::string key = key_of(feature, categories);
        if (occurrences[key] < 2) return;
        if (number_of_.emplace(std::move(key), sets_.size()).second) sets_.push_back({feature, categories});
    });
}

std::optional<std::size_t> CategorySetTable::number_of(FeatureId feature,
                                                       const std::vector<std::uint64_t>& categories) const {
    if (sets_.empty() || !is_long(categories)) return std::nullopt;
    const auto found = number_of_.find(key_of(feature, categories));
    if (found == number_of_.end()) return std::nullopt;
    return found->second;
}

}  // namespace regrove::formats
