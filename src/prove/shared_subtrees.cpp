// Subtrees are named from the bottom up: a question and the names of its two sides make a name.
#include "shared_subtrees.hpp"

#include <array>
#include <map>

namespace regrove::prove {

namespace {

class Names {
  public:
    std::vector<std::vector<std::uint32_t>> of(const SearchForest& forest) {
        std::vector<std::vector<std::uint32_t>> names;
        for (const SearchTree& tree : forest.trees()) names.push_back(of(tree));
        return names;
    }

  private:
    std::vector<std::uint32_t> of(const SearchTree& tree) {
        // Sets of categories are told apart by their place among the tree's: enough for trees of one origin.
        const std::uint32_t masks = named(masks_, tree.masks);
        std::vector<std::uint32_t> names(tree.nodes.size());
        for (std::size_t i = tree.nodes.size(); i-- > 0;) {
            const SearchNode& node = tree.nodes[i];
            if (node.is_leaf()) {
                const auto scores = tree.scores(node);
                names[i] = named(leaves_, std::vector<double>(scores.begin(), scores.end()));
                continue;
            }
            const std::uint32_t set = node.mask == 0 ? 0 : masks;
            names[i] = named(questions_, std::array{node.axis, node.first_right, node.mask, set, names[node.left],
                                                    names[node.right]});
        }
        return names;
    }

    template <class Key>
    std::uint32_t named(std::map<Key, std::uint32_t>& known, const Key& key) {
        const auto [found, is_new] = known.emplace(key, next_);
        if (is_new) ++next_;
        return found->second;
    }

    std::map<std::vector<std::uint64_t>, std::uint32_t> masks_;
    std::map<std::vector<double>, std::uint32_t> leaves_;
    std::map<std::array<std::uint32_t, 6>, std::uint32_t> questions_;
    std::uint32_t next_ = 1;
};

}  // namespace

SharedSubtrees::SharedSubtrees(const SearchForest& first, const SearchForest& second) {
    if (first.trees().size() != second.trees().size() || first.divisor() != second.divisor()) return;
    Names names;
    first_ = names.of(first);
    second_ = names.of(second);
}

bool SharedSubtrees::all_same(const ReachState& first, const ReachState& second, std::size_t level,
                              std::vector<std::uint32_t>& apart) const {
    apart.clear();
    for (std::uint32_t t = 0; t < first_.size(); ++t)
        if (first_[t][first.root(level, t)] != second_[t][second.root(level, t)]) apart.push_back(t);
    return apart.empty() && !first_.empty();
}

}  // namespace regrove::prove
