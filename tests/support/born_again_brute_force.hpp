// The smallest trees of small regions by trying everything: no memo by content, no bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::test {

/// Optimal values of every box of a space, by the recursion as the paper states it. Cells that are not `known` may be
/// decided in any way; all are when it is empty.
class BornAgainBruteForce {
  public:
    static constexpr std::uint32_t k_none = 1000000;

    BornAgainBruteForce(const cellspace::CompiledEnsemble& ensemble, std::vector<std::uint32_t> known = {})
        : ensemble_(ensemble), known_(std::move(known)) {}

    std::uint32_t depth(const cellspace::Box& box) {
        return value(depth_, box, 0, [&] {
            return best_split(box, [&](const cellspace::Box& a, const cellspace::Box& b) {
                return 1 + std::max(depth(a), depth(b));
            });
        });
    }
    std::uint32_t leaves(const cellspace::Box& box) {
        return value(leaves_, box, 1, [&] {
            return best_split(
                box, [&](const cellspace::Box& a, const cellspace::Box& b) { return leaves(a) + leaves(b); });
        });
    }
    /// Fewest leaves of the trees of at most this depth.
    std::uint32_t leaves_within(const cellspace::Box& box, std::uint32_t levels) {
        return value(within_[levels], box, 1, [&] {
            if (levels == 0) return k_none;
            return best_split(box, [&](const cellspace::Box& a, const cellspace::Box& b) {
                return std::min(k_none, leaves_within(a, levels - 1) + leaves_within(b, levels - 1));
            });
        });
    }
    bool is_pure(const cellspace::Box& box) {
        std::vector<std::uint32_t> classes;
        const auto look = [&](std::span<const std::uint32_t> cell) {
            for (std::size_t j = 0; j < cell.size(); ++j)
                if (cell[j] < box.low[j] || cell[j] > box.high[j]) return;
            classes.push_back(ensemble_.class_at(cell));
        };
        if (known_.empty()) {
            std::vector<std::uint32_t> cell = box.low;
            for (;;) {
                look(cell);
                std::size_t j = 0;
                while (j < cell.size() && cell[j] == box.high[j]) {
                    cell[j] = box.low[j];
                    ++j;
                }
                if (j == cell.size()) break;
                ++cell[j];
            }
        } else {
            for (std::size_t at = 0; at < known_.size(); at += box.low.size())
                look(std::span(known_).subspan(at, box.low.size()));
        }
        return classes.empty() ||
               std::ranges::count(classes, classes[0]) == static_cast<std::ptrdiff_t>(classes.size());
    }

  private:
    using Key = std::vector<std::uint32_t>;
    using Table = std::map<Key, std::uint32_t>;

    template <class Split>
    std::uint32_t value(Table& table, const cellspace::Box& box, std::uint32_t leaf, Split split) {
        Key key = box.low;
        key.insert(key.end(), box.high.begin(), box.high.end());
        if (const auto found = table.find(key); found != table.end()) return found->second;
        const std::uint32_t result = is_pure(box) ? leaf : split();
        table[key] = result;
        return result;
    }

    template <class Join>
    static std::uint32_t best_split(const cellspace::Box& box, Join join) {
        std::uint32_t best = k_none;
        for (std::size_t j = 0; j < box.low.size(); ++j)
            for (std::uint32_t l = box.low[j]; l < box.high[j]; ++l) {
                cellspace::Box left = box;
                cellspace::Box right = box;
                left.high[j] = l;
                right.low[j] = l + 1;
                best = std::min(best, join(left, right));
            }
        return best;
    }

    const cellspace::CompiledEnsemble& ensemble_;
    std::vector<std::uint32_t> known_;
    Table depth_;
    Table leaves_;
    std::map<std::uint32_t, Table> within_;
};

}  // namespace regrove::test
