#include "regrove/dist/surrogate_search.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/numeric_pass.hpp"
#include "regrove/train/answer.hpp"
#include "regrove/train/threshold.hpp"

namespace regrove::dist {

namespace {

/// Two "classes": rows that the main question sends left and right.
constexpr train::StatisticsLayout k_sides{2};
constexpr std::size_t k_width = 3;

using train::SplitCandidate;
using train::Statistics;

/// A slot's candidate with its ends' values.
struct FoundSurrogate {
    SplitCandidate candidate;
    model::Surrogate surrogate;
};

/// Statistics of the rows that answer the main question but not this column.
std::vector<std::int64_t> unanswered(comm::Communicator& comm, const TrainingSet& set, std::uint32_t slots,
                                     std::span<const std::uint32_t> keys, std::span<const std::uint32_t> missing) {
    std::vector<std::int64_t> statistics(slots * k_width, 0);
    for (const auto row : missing) {
        const std::uint32_t key = keys[row];
        if (key == train::k_closed_key) continue;
        train::add_row(k_sides, statistics.data() + (key >> 1U) * k_width, key & 1U, set.target.weight(row));
    }
    comm.sum(std::span<std::int64_t>(statistics));
    return statistics;
}

/// More than sending every row to the heavier side would agree with.
bool worth_keeping(const SplitCandidate& candidate, Statistics valued) {
    return candidate.valid && candidate.score.a > std::max(valued[0], valued[1]);
}

class SurrogateSearch {
  public:
    SurrogateSearch(comm::Communicator& comm, const TrainingSet& set, const ColumnRuns& runs,
                    std::span<const std::uint32_t> slot_of_row, std::vector<FoundSplit>& found)
        : comm_(comm),
          set_(set),
          runs_(runs),
          found_(found),
          slots_(static_cast<std::uint32_t>(found.size())),
          surrogates_(found.size()) {
        set_keys(slot_of_row);
    }

    void run(std::uint32_t most) {
        search_numeric();
        search_categories();
        for (std::uint32_t slot = 0; slot < slots_; ++slot) {
            auto& candidates = surrogates_[slot];
            std::stable_sort(candidates.begin(), candidates.end(), [](const auto& x, const auto& y) {
                if (x.candidate.score.a != y.candidate.score.a) return x.candidate.score.a > y.candidate.score.a;
                return x.candidate.feature < y.candidate.feature;
            });
            for (std::size_t i = 0; i < candidates.size() && i < most; ++i) {
                found_[slot].question.surrogates.push_back(std::move(candidates[i].surrogate));
            }
        }
    }

  private:
    void set_keys(std::span<const std::uint32_t> slot_of_row) {
        keys_.resize(slot_of_row.size());
        totals_.assign(slots_ * k_width, 0);
        for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
            keys_[row] = train::k_closed_key;
            const std::uint32_t slot = slot_of_row[row];
            if (slot >= slots_ || !found_[slot].splittable) continue;
            const model::Question& question = found_[slot].question;
            const auto side = train::answer(question, set_.columns[index(question.feature)], row);
            if (!side) continue;
            const std::uint32_t right = *side == model::Side::right ? 1 : 0;
            keys_[row] = slot << 1U | right;
            train::add_row(k_sides, totals_.data() + slot * k_width, right, set_.target.weight(row));
        }
        comm_.sum(std::span<std::int64_t>(totals_));
    }

    std::vector<std::int64_t> valued(std::uint32_t column) const {
        std::vector<std::int64_t> statistics = totals_;
        const auto found = unanswered_.find(column);
        if (found == unanswered_.end()) return statistics;
        for (std::size_t i = 0; i < statistics.size(); ++i) statistics[i] -= found->second[i];
        return statistics;
    }

    void search_numeric() {
        for (const auto column : runs_.numeric()) {
            if (!runs_.run(column).any_missing) continue;
            unanswered_[column] = unanswered(comm_, set_, slots_, keys_, runs_.run(column).missing);
        }
        NumericPass pass;
        pass.layout = k_sides;
        pass.criterion = train::Criterion::agreement;
        pass.slots = slots_;
        pass.messages = {keys_, {}, set_.target.weights, (slots_ << 1U) - 1U, false, set_.target.is_weighted};
        pass.valued_rows_only = true;
        pass.valued = [this](std::uint32_t column) { return valued(column); };
        std::vector<std::pair<std::uint32_t, std::vector<SplitCandidate>>> best_of_column;
        sweep_columns(comm_, runs_, set_.entropy, pass, [&](std::uint32_t column, train::SweepResult&& result) {
            best_of_column.emplace_back(column, std::move(result.best));
        });
        for (auto& [column, best] : best_of_column) {
            comm_.merge_all(std::span<SplitCandidate>(best), train::merge_candidate);
            take_numeric(column, best);
        }
    }

    void take_numeric(std::uint32_t column, const std::vector<SplitCandidate>& best) {
        const std::vector<std::int64_t> statistics = valued(column);
        std::vector<RunQuery> queries;
        std::vector<std::size_t> asked;
        for (std::uint32_t slot = 0; slot < slots_; ++slot) {
            if (!wanted(slot, column, best[slot], Statistics(statistics).subspan(slot * k_width, k_width))) continue;
            for (int end = 0; end < 2; ++end) {
                const auto& place = end == 0 ? best[slot].left_end : best[slot].right_begin;
                if (place.holder != comm_.rank()) continue;
                queries.push_back({column, place.position});
                asked.push_back(2 * std::size_t{slot} + end);
            }
        }
        const auto values = runs_.values_at(queries);
        std::vector<double> ends(2 * std::size_t{slots_}, -std::numeric_limits<double>::infinity());
        for (std::size_t q = 0; q < values.size(); ++q) ends[asked[q]] = values[q];
        comm_.max(std::span<double>(ends));
        for (std::uint32_t slot = 0; slot < slots_; ++slot) {
            const Statistics own = Statistics(statistics).subspan(slot * k_width, k_width);
            if (!wanted(slot, column, best[slot], own)) continue;
            model::Surrogate surrogate = made(best[slot], own);
            surrogate.kind = model::QuestionKind::threshold;
            surrogate.threshold = train::threshold_between(ends[2 * slot], ends[2 * slot + 1]);
            surrogates_[slot].push_back({best[slot], std::move(surrogate)});
        }
    }

    bool wanted(std::uint32_t slot, std::uint32_t column, const SplitCandidate& candidate,
                Statistics statistics) const {
        return found_[slot].splittable && index(found_[slot].question.feature) != column &&
               worth_keeping(candidate, statistics);
    }

    model::Surrogate made(const SplitCandidate& candidate, Statistics statistics) const {
        model::Surrogate surrogate;
        surrogate.feature = FeatureId{candidate.feature};
        surrogate.reversed = candidate.reversed;
        surrogate.agreement =
            static_cast<double>(candidate.score.a) / static_cast<double>(statistics[0] + statistics[1]);
        return surrogate;
    }

    void search_categories() {
        for (std::uint32_t feature = 0; feature < set_.features.size(); ++feature) {
            if (set_.features[feature].kind != model::FeatureKind::category) continue;
            const auto categories = static_cast<std::uint32_t>(set_.features[feature].categories.size());
            const auto& codes = std::get<std::vector<std::int32_t>>(set_.columns[feature]);
            std::vector<std::int64_t> statistics(std::size_t{slots_} * categories * k_width, 0);
            for (std::size_t row = 0; row < codes.size(); ++row) {
                if (keys_[row] == train::k_closed_key || codes[row] < 0) continue;
                const std::size_t at = (std::size_t{keys_[row] >> 1U} * categories + codes[row]) * k_width;
                train::add_row(k_sides, statistics.data() + at, keys_[row] & 1U, set_.target.weight(row));
            }
            comm_.sum(std::span<std::int64_t>(statistics));
            for (std::uint32_t slot = 0; slot < slots_; ++slot) {
                const Statistics own =
                    Statistics(statistics).subspan(std::size_t{slot} * categories * k_width, categories * k_width);
                take_category(slot, feature, categories, own);
            }
        }
    }

    void take_category(std::uint32_t slot, std::uint32_t feature, std::uint32_t categories, Statistics statistics) {
        if (!found_[slot].splittable || index(found_[slot].question.feature) == feature) return;
        train::CategoryInput input;
        input.feature = feature;
        input.categories = categories;
        input.statistics = statistics;
        input.parent_term_of_valued = true;
        const auto result = best_category_split(k_sides, train::Criterion::agreement, set_.entropy, input);
        std::vector<std::int64_t> valued(k_width, 0);
        for (std::size_t i = 0; i < statistics.size(); ++i) valued[i % k_width] += statistics[i];
        if (!worth_keeping(result.best.candidate, valued)) return;
        model::Surrogate surrogate = made(result.best.candidate, valued);
        surrogate.kind = model::QuestionKind::category;
        surrogate.right_categories = result.best.right_categories;
        for (std::uint32_t c = 0; c < categories; ++c) {
            if (rows(k_sides, statistics.subspan(c * k_width, k_width)) != 0) {
                model::insert(surrogate.seen_categories, c);
            }
        }
        surrogates_[slot].push_back({result.best.candidate, std::move(surrogate)});
    }

    comm::Communicator& comm_;
    const TrainingSet& set_;
    const ColumnRuns& runs_;
    std::vector<FoundSplit>& found_;
    std::uint32_t slots_;
    std::vector<std::vector<FoundSurrogate>> surrogates_;
    std::vector<std::uint32_t> keys_;
    std::vector<std::int64_t> totals_;
    std::unordered_map<std::uint32_t, std::vector<std::int64_t>> unanswered_;
};

}  // namespace

void add_surrogates(comm::Communicator& comm, const TrainingSet& set, const ColumnRuns& runs, std::uint32_t most,
                    std::span<const std::uint32_t> slot_of_row, std::vector<FoundSplit>& found) {
    if (most == 0) return;
    SurrogateSearch(comm, set, runs, slot_of_row, found).run(most);
}

}  // namespace regrove::dist
