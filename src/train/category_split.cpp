#include "regrove/train/category_split.hpp"

#include <algorithm>
#include <numeric>

#include "regrove/core/check.hpp"
#include "regrove/model/split.hpp"
#include "regrove/train/side_statistics.hpp"

namespace regrove::train {

namespace {

/// Tries sets of categories on the left against the rest on the right and keeps the best.
template <class Sides>
class CategorySearch {
  public:
    CategorySearch(const StatisticsLayout& layout, const EntropyTerms& entropy, const CategoryInput& input)
        : layout_(layout), entropy_(entropy), input_(input), zeros_(layout.size(), 0), rest_(layout.size(), 0) {
        for (std::uint32_t c = 0; c < input.categories; ++c) {
            if (rows(layout_, of(c)) != 0) present_.push_back(c);
        }
        if (!input.missing.empty() && rows(layout_, input.missing) != 0) {
            missing_is_category_ = input.missing_as_category;
            missing_floats_ = !input.missing_as_category && !input.parent_term_of_valued;
            if (missing_is_category_) present_.push_back(input.categories);
        }
        for (const auto c : present_) add(rest_, of(c));
    }

    CategoryResult run(bool two_classes_or_regression) {
        if (present_.size() < 2) return std::move(result_);
        if (input_.questions == CategoryQuestions::one_vs_rest) {
            try_one_against_rest();
        } else if (two_classes_or_regression) {
            sweep(ordered_by_share(layout_.regression() ? 0 : 1));
        } else if (present_.size() <= k_greedy_categories) {
            try_greedy();
        } else {
            for (std::uint32_t k = 0; k < layout_.classes; ++k) sweep(ordered_by_share(k));
        }
        return std::move(result_);
    }

  private:
    Statistics of(std::uint32_t category) const {
        if (category == input_.categories) return input_.missing;
        return input_.statistics.subspan(category * layout_.size(), layout_.size());
    }
    void add(std::vector<std::int64_t>& into, Statistics s) const {
        for (std::size_t i = 0; i < s.size(); ++i) into[i] += s[i];
    }
    /// Every one-category set. The member goes right, so the left side is all others.
    void try_one_against_rest() {
        for (const auto member : present_) consider({member});
    }

    /// Present categories by the share of class k (or by mean target), ascending; equal shares by code.
    std::vector<std::uint32_t> ordered_by_share(std::uint32_t k) const {
        std::vector<std::uint32_t> order = present_;
        // share / weight as an exact fraction; real weights make the products too large for 128 bits.
        const auto share = [&](std::uint32_t c) {
            ExactScore fraction;
            fraction.a = layout_.regression() ? target_sum(of(c)) : static_cast<Int128>(of(c)[k]);
            fraction.da = weight(layout_, of(c));
            return fraction;
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t x, std::uint32_t y) { return compare(share(x), share(y)) < 0; });
        return order;
    }

    void sweep(const std::vector<std::uint32_t>& order) {
        // Every proper prefix goes left; with floating rows without a value the full set may stand against them.
        for (std::size_t cut = 1; cut < order.size(); ++cut) {
            prefix_.assign(order.begin() + static_cast<std::ptrdiff_t>(cut), order.end());
            consider(prefix_);
        }
    }

    /// Starts with all categories left and moves right the one that gives the best score, until one is left.
    void try_greedy() {
        std::vector<std::uint32_t> left = present_;
        std::vector<std::uint32_t> right;
        while (left.size() > 1) {
            std::size_t chosen = left.size();
            ExactScore chosen_score;
            for (std::size_t i = 0; i < left.size(); ++i) {
                right.push_back(left[i]);
                const ExactScore score = score_of(right);
                right.pop_back();
                if (chosen == left.size() || compare(score, chosen_score) > 0) {
                    chosen = i;
                    chosen_score = score;
                }
            }
            right.push_back(left[chosen]);
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
            consider(right);
        }
    }

    /// Score with `right` on the right, whatever the limits say: denominators of zero count as one.
    ExactScore score_of(const std::vector<std::uint32_t>& right) {
        Sides sides;
        split(sides, right, nullptr, nullptr, counters_);
        ExactScore score = sides.exact();
        score.da = std::max<std::int64_t>(score.da, 1);
        score.db = std::max<std::int64_t>(score.db, 1);
        return score;
    }

    /// `sides` with `right` on the right and all others left; rows without a value left, right or not at all.
    void split(Sides& sides, const std::vector<std::uint32_t>& right, const Statistics* left_extra,
               const Statistics* right_extra, std::vector<std::int64_t>& counters) const {
        std::vector<std::int64_t> left_statistics = rest_;
        std::vector<std::int64_t> right_statistics = zeros_;
        for (const auto c : right) {
            const Statistics s = of(c);
            add(right_statistics, s);
            for (std::size_t i = 0; i < s.size(); ++i) left_statistics[i] -= s[i];
        }
        if (left_extra != nullptr) add(left_statistics, *left_extra);
        if (right_extra != nullptr) add(right_statistics, *right_extra);
        counters.assign(2 * std::max<std::size_t>(layout_.classes, 1), 0);
        sides.start(layout_, left_statistics, right_statistics, counters.data(), entropy_);
    }

    void consider(const std::vector<std::uint32_t>& right) {
        ++tried_;
        std::vector<std::int64_t> counters;
        Sides sides;
        if (!missing_floats_) {
            split(sides, right, nullptr, nullptr, counters);
            keep(sides, right, false);
            return;
        }
        std::vector<std::int64_t> other_counters;
        Sides missing_right;
        split(sides, right, &input_.missing, nullptr, counters);
        split(missing_right, right, nullptr, &input_.missing, other_counters);
        const bool left_allowed = sides.counts.allowed(input_.min_rows_leaf);
        const bool right_allowed = missing_right.counts.allowed(input_.min_rows_leaf);
        if (left_allowed && (!right_allowed || compare(sides.exact(), missing_right.exact()) >= 0)) {
            keep(sides, right, false);
        } else if (right_allowed) {
            keep(missing_right, right, true);
        }
    }

    void keep(const Sides& sides, const std::vector<std::uint32_t>& right, bool missing_right) {
        if (!sides.counts.allowed(input_.min_rows_leaf)) return;
        CategoryCandidate found;
        found.candidate.score = sides.exact();
        found.candidate.code = tried_;
        found.candidate.feature = input_.feature;
        found.candidate.valid = true;
        found.candidate.missing_right = missing_right;
        found.candidate.left_weight = sides.counts.left_weight;
        found.candidate.right_weight = sides.counts.right_weight;
        found.candidate.reversed = agrees_reversed(sides);
        for (const auto c : right) {
            if (c == input_.categories)
                found.candidate.missing_right = true;
            else
                model::insert(found.right_categories, c);
        }
        CategoryCandidate& best = result_.best;
        const auto order = best.candidate.valid ? compare(found.candidate.score, best.candidate.score)
                                                : std::strong_ordering::greater;
        if (order > 0) {
            best = std::move(found);
            result_.ties.clear();
        } else if (order == 0) {
            result_.ties.push_back(std::move(found));
        }
    }

    StatisticsLayout layout_;
    const EntropyTerms& entropy_;
    const CategoryInput& input_;
    std::vector<std::int64_t> zeros_;
    std::vector<std::int64_t> rest_;
    std::vector<std::uint32_t> present_;  ///< input.categories stands for "no value"
    std::vector<std::uint32_t> prefix_;
    std::vector<std::int64_t> counters_;
    bool missing_is_category_ = false;
    bool missing_floats_ = false;
    std::uint64_t tried_ = 0;
    CategoryResult result_;
};

}  // namespace

CategoryResult best_category_split(const StatisticsLayout& layout, Criterion criterion, const EntropyTerms& entropy,
                                   const CategoryInput& input) {
    const bool ordered = layout.regression() || layout.classes == 2;
    switch (criterion) {
        case Criterion::squared_error:
            return CategorySearch<SquaredErrorSides>(layout, entropy, input).run(true);
        case Criterion::entropy:
            return CategorySearch<EntropySides>(layout, entropy, input).run(ordered);
        case Criterion::agreement:
            return CategorySearch<AgreementSides>(layout, entropy, input).run(true);
        case Criterion::gini:
            return CategorySearch<GiniSides<Int128>>(layout, entropy, input).run(ordered);
        case Criterion::automatic:
            break;
    }
    throw InternalError("no category search for this criterion");
}

}  // namespace regrove::train
