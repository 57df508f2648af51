// The ways of all mixtures of two rows, followed at once.
#include "pair_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "regrove/core/check.hpp"
#include "regrove/infer/route.hpp"
#include "regrove/infer/surrogate_answer.hpp"

namespace regrove::algebra {

namespace {

constexpr std::int32_t k_question = -1;

PairTarget leaf_target(std::uint32_t leaf) { return ~static_cast<PairTarget>(leaf); }
std::uint32_t leaf_of(PairTarget target) { return static_cast<std::uint32_t>(~target); }

/// The most asks on any way; targets lie behind the asks that lead to them.
std::uint32_t longest_way(const std::vector<PairAsk>& asks) {
    std::vector<std::uint32_t> length(asks.size(), 1);
    for (std::size_t a = asks.size(); a-- > 0;)
        for (const PairTarget target : {asks[a].left, asks[a].right, asks[a].unanswered})
            if (target >= 0) length[a] = std::max(length[a], 1 + length[static_cast<std::size_t>(target)]);
    return asks.empty() ? 0 : length.front();
}

/// p! n! / (p + n + 1)! for p and n below `size`, row by row.
std::vector<double> binding_shares(std::size_t size) {
    std::vector<double> shares(size * size);
    for (std::size_t n = 0; n < size; ++n) {
        shares[n] = 1 / static_cast<double>(n + 1);
        for (std::size_t p = 1; p < size; ++p)
            shares[p * size + n] =
                shares[(p - 1) * size + n] * static_cast<double>(p) / static_cast<double>(p + n + 1);
    }
    return shares;
}

}  // namespace

PairTree::PairTree(const model::Tree& tree, const TreeScores& scores, const AskedFeatures& asked)
    : tree_(&tree), scores_(&scores) {
    root_ = set_asks(asked);
    std::map<std::uint32_t, std::uint32_t> own;  // by feature
    for (PairAsk& ask : asks_)
        ask.own = own.emplace(ask.feature, static_cast<std::uint32_t>(own.size())).first->second;
    own_features_ = static_cast<std::uint32_t>(own.size());
    bound_features_ = std::min(own_features_, longest_way(asks_));
    shares_ = binding_shares(bound_features_);
}

/// The asks of each question in pre-order, its surrogates' behind its own.
PairTarget PairTree::set_asks(const AskedFeatures& asked) {
    std::vector<PairTarget> first(tree_->nodes.size());  // each node's first ask, or leaf
    PairTarget next = 0;
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        const model::Node& node = tree_->nodes[i];
        first[i] = node.is_leaf() ? leaf_target(i) : next;
        if (!node.is_leaf()) next += 1 + static_cast<PairTarget>(node.question.surrogates.size());
    }
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        const model::Node& node = tree_->nodes[i];
        if (node.is_leaf()) continue;
        const model::Question& question = node.question;
        PairAsk ask;
        ask.node = i;
        ask.left = first[index(node.left)];
        ask.right = first[index(node.right)];
        const auto surrogates = static_cast<std::int32_t>(question.surrogates.size());
        for (std::int32_t s = k_question; s < surrogates; ++s) {
            ask.surrogate = s;
            ask.feature =
                index(s == k_question ? question.feature : question.surrogates[static_cast<std::size_t>(s)].feature);
            ask.place = asked.places[ask.feature];
            const bool is_last = s + 1 == surrogates;
            if (is_last)
                ask.unanswered = question.missing_side == model::Side::left ? ask.left : ask.right;
            else
                ask.unanswered = static_cast<PairTarget>(asks_.size()) + 1;
            asks_.push_back(ask);
        }
    }
    return first.front();
}

PairTarget PairTree::target(const PairAsk& ask, std::span<const double> cells) const {
    const model::Question& question = tree_->nodes[ask.node].question;
    std::optional<model::Side> side;
    if (ask.surrogate != k_question) {
        side = infer::answer(question.surrogates[static_cast<std::size_t>(ask.surrogate)], cells);
    } else if (!std::isnan(cells[ask.feature])) {
        infer::PathFlags ignored;
        side = infer::answer(question, cells, ignored);
    }
    if (!side) return ask.unanswered;
    return *side == model::Side::left ? ask.left : ask.right;
}

void PairTree::set_targets(std::span<const double> cells, PairTarget* targets) const {
    for (std::size_t a = 0; a < asks_.size(); ++a) targets[a] = target(asks_[a], cells);
}

void PairTree::set_background(std::span<const double> cells, std::size_t width) {
    REGROVE_CHECK(background_.empty() && width > 0);
    std::map<std::vector<PairTarget>, std::uint64_t> kinds;
    std::vector<PairTarget> targets(asks_.size());
    for (std::size_t begin = 0; begin < cells.size(); begin += width) {
        set_targets(cells.subspan(begin, width), targets.data());
        ++kinds[targets];
    }
    for (const auto& [kind, rows] : kinds) {
        background_.insert(background_.end(), kind.begin(), kind.end());
        kind_rows_.push_back(static_cast<double>(rows));
    }
}

std::vector<double> PairTree::background_sum() const {
    const std::size_t length = scores_->length;
    std::vector<double> sums(length);
    for (std::size_t kind = 0; kind < kind_rows_.size(); ++kind) {
        PairTarget at = root_;
        while (at >= 0) at = background_[kind * asks_.size() + static_cast<std::size_t>(at)];
        for (std::size_t k = 0; k < length; ++k)
            sums[k] += kind_rows_[kind] * scores_->values[leaf_of(at) * length + k];
    }
    return sums;
}

/// Follows one row and one kind of background row.
class PairTree::Walk {
  public:
    /// What the leaves below give to each feature bound to the row, and take from each bound to the background.
    struct Below {
        double row = 0;
        double background = 0;
    };

    Walk(const PairTree& tree, std::size_t score, PairScratch& scratch)
        : tree_(tree), score_(score), scratch_(scratch) {}

    void follow(std::size_t kind) {
        background_ = tree_.background_.data() + kind * tree_.asks_.size();
        rows_ = tree_.kind_rows_[kind];
        static_cast<void>(below(tree_.root_, 0, 0));
    }

  private:
    /// `p` and `n` features are bound to the row and to the background.
    Below below(PairTarget at, std::uint32_t p, std::uint32_t n) {
        while (at >= 0) {
            const auto place = static_cast<std::size_t>(at);
            const PairTarget own = scratch_.targets[place];
            const PairTarget other = background_[place];
            const PairAsk& ask = tree_.asks_[place];
            const Owner owner = scratch_.owners[ask.own];
            if (own == other || owner == Owner::row)
                at = own;
            else if (owner == Owner::background)
                at = other;
            else
                return both(ask, {own, other}, p, n);
        }
        return at_leaf(leaf_of(at), p, n);
    }

    struct Ways {
        PairTarget own, other;
    };

    Below both(const PairAsk& ask, const Ways& ways, std::uint32_t p, std::uint32_t n) {
        Owner& owner = scratch_.owners[ask.own];
        owner = Owner::row;
        const Below own = below(ways.own, p + 1, n);
        owner = Owner::background;
        const Below other = below(ways.other, p, n + 1);
        owner = Owner::open;
        scratch_.phi[ask.place] += rows_ * (own.row - other.background);
        return {own.row + other.row, own.background + other.background};
    }

    Below at_leaf(std::uint32_t leaf, std::uint32_t p, std::uint32_t n) const {
        const double value = tree_.scores_->values[leaf * tree_.scores_->length + score_];
        const std::size_t size = tree_.bound_features_;
        Below leaves;
        if (p > 0) leaves.row = value * tree_.shares_[(p - 1) * size + n];
        if (n > 0) leaves.background = value * tree_.shares_[p * size + n - 1];
        return leaves;
    }

    const PairTree& tree_;
    std::size_t score_;
    PairScratch& scratch_;
    const PairTarget* background_ = nullptr;
    double rows_ = 1;
};

void PairTree::add(std::span<const double> cells, PairScratch& scratch, std::span<double> phi,
                   std::size_t features) const {
    scratch.targets.resize(asks_.size());
    set_targets(cells, scratch.targets.data());
    scratch.owners.assign(own_features_, Owner::open);
    scratch.phi.resize(features);
    for (std::size_t k = 0; k < scores_->length; ++k) {
        for (const PairAsk& ask : asks_) scratch.phi[ask.place] = 0;
        Walk walk(*this, k, scratch);
        for (std::size_t kind = 0; kind < kind_rows_.size(); ++kind) walk.follow(kind);
        double* const own = phi.data() + (scores_->first + k) * features;
        for (const PairAsk& ask : asks_) {
            own[ask.place] += scratch.phi[ask.place];
            scratch.phi[ask.place] = 0;
        }
    }
}

}  // namespace regrove::algebra
