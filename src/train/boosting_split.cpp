// Sweeps over bins that are not empty; categories are first put in order of gradient over hessian.
#include "regrove/train/boosting_split.hpp"

#include <algorithm>
#include <utility>

#include "regrove/train/boosting_judge.hpp"
#include "regrove/train/threshold.hpp"

namespace regrove::train {

namespace {

/// Words of a feature as sums, by the histogram's shape.
template <bool packed, bool counts>
class WordReader {
  public:
    explicit WordReader(const FeatureWords& words)
        : first_(words.histogram->at(0, words.first_word)),
          hessians_(packed ? nullptr : words.histogram->at(1, words.first_word)),
          counts_(counts ? words.histogram->at(words.histogram->shape().planes() - 1, words.first_word) : nullptr) {}
    bool empty(std::uint32_t bin) const { return packed ? first_[bin] == 0 : hessians_[bin] == 0; }
    GradientSums operator[](std::uint32_t bin) const {
        GradientSums sums;
        sums.gradient = packed ? gradient_of_word(first_[bin]) : first_[bin];
        sums.hessian = packed ? hessian_of_word(first_[bin]) : hessians_[bin];
        if constexpr (counts) sums.rows = counts_[bin];
        return sums;
    }

  private:
    const std::int64_t* first_;
    const std::int64_t* hessians_;
    const std::int64_t* counts_;
};

template <class Work>
auto with_reader(const FeatureWords& words, Work work) {
    const HistogramShape& shape = words.histogram->shape();
    if (shape.packed)
        return shape.counts ? work(WordReader<true, true>(words)) : work(WordReader<true, false>(words));
    return shape.counts ? work(WordReader<false, true>(words)) : work(WordReader<false, false>(words));
}

/// The best of some cuts of one feature, in the order offered.
class BestCut {
  public:
    BestCut(const DivisionJudge& judge, const GradientSums& missing) : judge_(judge), missing_(missing) {}

    /// `left` without the missing rows. Returns whether a candidate was taken.
    bool offer(const GradientSums& left) {
        bool taken = false;
        if (missing_.hessian != 0) {
            GradientSums with = left;
            with += missing_;
            taken = judge(with, false);
        }
        return judge(left, true) || taken;
    }
    const BoostingCandidateFigures& best() const { return best_; }
    BoostingCandidateFigures& best() { return best_; }

  private:
    bool judge(const GradientSums& left, bool missing_right) {
        const GradientSums right = judge_.node().sums - left;
        if (!judge_.allowed(left, right)) return false;
        const double score = judge_.score(left, right);
        if (!(score > best_.score)) return false;
        best_.score = score;
        best_.valid = 1;
        best_.left = left;
        best_.missing_right = missing_right ? 1 : 0;
        return true;
    }

    const DivisionJudge& judge_;
    GradientSums missing_;
    BoostingCandidateFigures best_;
};

/// Bins of the candidate count as the reader's do; the cut is not settled.
template <class Reader>
BoostingCandidate sweep(const BoostingSplitRules& rules, const BoostingNodeView& node, std::uint32_t feature,
                        std::uint32_t count, const Reader& reader) {
    const GradientSums missing = reader[count];
    const DivisionJudge judge(rules, node, rules.direction(feature));
    BestCut cut(judge, missing);
    GradientSums left;
    std::uint32_t first = count;
    std::uint32_t last = count;
    for (std::uint32_t bin = 0; bin < count; ++bin) {
        if (reader.empty(bin)) continue;
        if (last == count) {
            first = bin;
        } else if (cut.offer(left)) {
            cut.best().last_left_bin = last;
            cut.best().next_bin = bin;
        }
        left += reader[bin];
        last = bin;
    }
    // Every value left, rows without one right.
    if (last != count && missing.hessian != 0) {
        BestCut all(judge, {});
        if (all.offer(left) && all.best().score > cut.best().score) {
            cut.best() = all.best();
            cut.best().last_left_bin = last;
            cut.best().next_bin = count;
        }
    }
    BoostingCandidate candidate;
    static_cast<BoostingCandidateFigures&>(candidate) = cut.best();
    candidate.feature = feature;
    candidate.first_bin = first;
    candidate.last_bin = last;
    candidate.missing_seen = missing.hessian != 0 ? 1 : 0;
    return candidate;
}

template <class Reader>
BoostingCandidate best_numeric(const BoostingSplitRules& rules, const BoostingNodeView& node,
                               const FeatureWords& words, const Reader& reader) {
    BoostingCandidate candidate = sweep(rules, node, words.feature, words.bins->count, reader);
    settle_cut(candidate, *words.bins);
    return candidate;
}

/// Listed bins as if there were no others.
class ListReader {
  public:
    ListReader(std::span<const ListedBin> list, const GradientSums& missing) : list_(list), missing_(missing) {}
    bool empty(std::uint32_t) const { return false; }
    const GradientSums& operator[](std::uint32_t bin) const {
        return bin == list_.size() ? missing_ : list_[bin].sums;
    }

  private:
    std::span<const ListedBin> list_;
    const GradientSums& missing_;
};

/// A category that the node has.
struct Category {
    std::uint32_t code = 0;
    GradientSums sums;
    double place = 0;
};

template <class Reader>
std::vector<Category> present_categories(const BoostingSplitRules& rules, const FeatureWords& words,
                                         const Reader& reader) {
    std::vector<Category> present;
    for (std::uint32_t code = 0; code < words.bins->count; ++code) {
        if (reader.empty(code)) continue;
        const GradientSums sums = reader[code];
        present.push_back({code, sums, rules.category_place(sums)});
    }
    return present;
}

void mark_seen(const std::vector<Category>& present, std::vector<std::uint64_t>& seen) {
    for (const Category& category : present) model::insert(seen, category.code);
}

/// Each category alone on the right.
void offer_each(const std::vector<Category>& present, const GradientSums& valued, BestCut& cut,
                std::vector<std::uint64_t>& right) {
    for (const Category& category : present) {
        if (!cut.offer(valued - category.sums)) continue;
        right.clear();
        model::insert(right, category.code);
    }
}

/// The first ones of the order left, the others right.
void offer_cuts(std::vector<Category>& present, std::uint32_t most, BestCut& cut, std::vector<std::uint64_t>& right) {
    std::sort(present.begin(), present.end(), [](const Category& a, const Category& b) {
        return a.place < b.place || (a.place == b.place && a.code < b.code);
    });
    std::size_t best = 0;
    GradientSums left;
    for (std::size_t lefts = 1; lefts < present.size(); ++lefts) {
        left += present[lefts - 1].sums;
        if (std::min(lefts, present.size() - lefts) > most) continue;
        if (cut.offer(left)) best = lefts;
    }
    if (best == 0) return;
    for (std::size_t i = best; i < present.size(); ++i) model::insert(right, present[i].code);
}

template <class Reader>
BoostingCandidate best_categories(const BoostingSplitRules& rules, const BoostingNodeView& node,
                                  const FeatureWords& words, const Reader& reader) {
    BoostingCandidate candidate;
    auto present = present_categories(rules, words, reader);
    const GradientSums missing = reader[words.bins->count];
    const DivisionJudge judge(rules, node, 0);
    BestCut cut(judge, missing);
    mark_seen(present, candidate.seen_categories);
    const GradientSums valued = node.sums - missing;
    std::vector<std::uint64_t> right;
    if (present.size() <= rules.max_onehot) {
        offer_each(present, valued, cut, right);
    } else {
        offer_cuts(present, rules.max_category_threshold, cut, right);
    }
    if (missing.hessian != 0) {
        BestCut all(judge, {});
        if (all.offer(valued) && all.best().score > cut.best().score) {
            cut.best() = all.best();
            right.clear();
        }
    }
    static_cast<BoostingCandidateFigures&>(candidate) = cut.best();
    candidate.feature = words.feature;
    candidate.categorical = 1;
    candidate.missing_seen = missing.hessian != 0 ? 1 : 0;
    candidate.right_categories = std::move(right);
    return candidate;
}

}  // namespace

BoostingSplitRules make_boosting_rules(const BoostingOptions& options, const GradientGrid& grid,
                                       std::vector<std::int8_t> monotone) {
    BoostingSplitRules rules;
    rules.score = LeafScore(options, grid);
    rules.min_child_weight = options.min_child_weight;
    rules.min_rows_leaf = static_cast<std::int64_t>(options.min_rows_leaf);
    rules.least_gain = options.least_gain();
    rules.max_onehot = options.max_onehot;
    rules.max_category_threshold = options.max_category_threshold;
    rules.category_smoothing = options.category_smoothing;
    rules.monotone = std::move(monotone);
    return rules;
}

void settle_cut(BoostingCandidate& candidate, const binning::Bins& bins) {
    if (candidate.valid == 0) return;
    if (candidate.next_bin == bins.missing_code()) {
        candidate.last_left_bin = bins.count - 1;
        return;
    }
    const double middle = threshold_between(bins.high[candidate.last_left_bin], bins.low[candidate.next_bin]);
    while (candidate.last_left_bin + 1 < candidate.next_bin && bins.high[candidate.last_left_bin + 1] <= middle) {
        ++candidate.last_left_bin;
    }
    candidate.next_bin = candidate.last_left_bin + 1;
}

bool preferred(const BoostingCandidate& a, const BoostingCandidate& b) {
    if (a.valid != b.valid) return a.valid != 0;
    return a.score > b.score || (a.score == b.score && a.feature < b.feature);
}

BoostingCandidate best_question(const BoostingSplitRules& rules, const BoostingNodeView& node,
                                const FeatureWords& words) {
    return with_reader(words, [&](const auto& reader) {
        return words.bins->category ? best_categories(rules, node, words, reader)
                                    : best_numeric(rules, node, words, reader);
    });
}

BoostingCandidate best_listed_question(const BoostingSplitRules& rules, const BoostingNodeView& node,
                                       const ListedFeature& feature, const GradientSums& missing) {
    const auto count = static_cast<std::uint32_t>(feature.bins.size());
    BoostingCandidate candidate = sweep(rules, node, feature.feature, count, ListReader(feature.bins, missing));
    if (candidate.valid == 0) return candidate;
    const auto bin_at = [&](std::uint32_t place) { return place == count ? feature.count : feature.bins[place].bin; };
    for (std::uint32_t* bin :
         {&candidate.last_left_bin, &candidate.next_bin, &candidate.first_bin, &candidate.last_bin}) {
        *bin = bin_at(*bin);
    }
    return candidate;
}

std::vector<GradientSums> bin_sums(const FeatureWords& words) {
    return with_reader(words, [&](const auto& reader) {
        std::vector<GradientSums> sums(words.bins->count + 1);
        for (std::uint32_t bin = 0; bin <= words.bins->count; ++bin) sums[bin] = reader[bin];
        return sums;
    });
}

GradientSums sums_left(const CodeQuestion& question, const FeatureWords& words) {
    GradientSums left;
    const auto sums = bin_sums(words);
    for (std::uint32_t bin = 0; bin < sums.size(); ++bin) {
        if (!question.right(bin)) left += sums[bin];
    }
    return left;
}

model::Question make_boosting_question(const BoostingCandidate& candidate, const binning::Bins& bins,
                                       const GradientSums& all) {
    model::Question question;
    question.feature = FeatureId{candidate.feature};
    question.missing_seen = candidate.missing_seen != 0;
    question.heavier_side =
        candidate.left.hessian >= all.hessian - candidate.left.hessian ? model::Side::left : model::Side::right;
    question.missing_side = question.heavier_side;
    if (question.missing_seen) {
        question.missing_side = candidate.missing_right != 0 ? model::Side::right : model::Side::left;
    }
    if (candidate.categorical != 0) {
        question.kind = model::QuestionKind::category;
        question.right_categories = candidate.right_categories;
        question.seen_categories = candidate.seen_categories;
        return question;
    }
    question.kind = model::QuestionKind::threshold;
    if (candidate.by_value != 0) {
        question.threshold = candidate.threshold;
        question.training_low = candidate.low;
        question.training_high = candidate.high;
        return question;
    }
    question.threshold = candidate.next_bin == bins.missing_code()
                             ? std::numeric_limits<double>::infinity()
                             : threshold_between(bins.high[candidate.last_left_bin], bins.low[candidate.next_bin]);
    question.training_low = bins.low[candidate.first_bin];
    question.training_high = bins.high[candidate.last_bin];
    return question;
}

CodeQuestion make_value_question(const model::Question& question, const data::ColumnValues& values) {
    CodeQuestion codes;
    codes.values = &values;
    codes.threshold = question.threshold;
    codes.missing_right = question.missing_side == model::Side::right;
    return codes;
}

CodeQuestion make_code_question(const BoostingCandidate& candidate, const model::Question& question,
                                const binning::Bins& bins, const CodeColumn& column) {
    CodeQuestion codes;
    codes.column = column;
    const bool missing_right = question.missing_side == model::Side::right;
    if (question.kind == model::QuestionKind::category) {
        codes.goes_right.assign(bins.count + 1, question.heavier_side == model::Side::right ? 1 : 0);
        for (std::uint32_t code = 0; code < bins.count; ++code) {
            if (!model::contains(question.seen_categories, code)) continue;
            codes.goes_right[code] = model::contains(question.right_categories, code) ? 1 : 0;
        }
        codes.goes_right[bins.count] = missing_right ? 1 : 0;
        return codes;
    }
    codes.right_begin = candidate.last_left_bin + 1;
    codes.right_count = bins.count - codes.right_begin + (missing_right ? 1 : 0);
    return codes;
}

}  // namespace regrove::train
