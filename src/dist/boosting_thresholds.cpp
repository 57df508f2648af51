// Columns in batches: what lies before and after each run, a sweep over it, and the preceding candidate of all.
#include "regrove/dist/boosting_thresholds.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/data/sort_key.hpp"
#include "regrove/dist/gradient_runs.hpp"
#include "regrove/train/boosting_sweep.hpp"
#include "regrove/train/threshold.hpp"

namespace regrove::dist {

namespace {

using train::BoostingCandidate;
using train::BoostingNodeView;
using train::GradientSums;
using train::NextValue;
using train::ThresholdCandidate;
using train::ThresholdNode;

constexpr std::uint64_t k_slot_buffer_bytes = std::uint64_t{128} << 20U;
constexpr double k_unknown = -std::numeric_limits<double>::infinity();

void keep(const ThresholdCandidate& found, ThresholdCandidate& best) {
    if (precedes(found, best)) best = found;
}

std::vector<data::ColumnValues> numeric_only(std::vector<data::ColumnValues> columns,
                                             const std::vector<std::uint32_t>& numeric) {
    for (std::uint32_t f = 0; f < columns.size(); ++f) {
        if (!std::binary_search(numeric.begin(), numeric.end(), f)) columns[f] = std::vector<float>{};
    }
    return columns;
}

/// A slot each, for every column of a batch.
struct BatchSums {
    std::size_t slots = 0;
    std::vector<GradientSums> missing;  ///< of rows without a value
    std::vector<GradientSums> before;   ///< in lower ranks' runs; one rank: empty
    std::vector<NextValue> next;        ///< behind this rank's run; one rank: empty

    template <class T>
    std::span<T> of(std::vector<T>& all, std::size_t i) const {
        return all.empty() ? std::span<T>{} : std::span<T>(all).subspan(i * slots, slots);
    }
};

std::span<std::int64_t> as_words(std::vector<GradientSums>& sums) {
    static_assert(sizeof(GradientSums) == 3 * sizeof(std::int64_t));
    return {reinterpret_cast<std::int64_t*>(sums.data()), 3 * sums.size()};
}

class RunThresholds final : public train::ThresholdSearch {
  public:
    RunThresholds(comm::Communicator& comm, std::vector<data::ColumnValues> columns,
                  std::vector<std::uint32_t> numeric, const std::vector<bool>& left_out)
        : comm_(comm),
          columns_(numeric_only(std::move(columns), numeric)),
          gradients_(comm, columns_, std::move(numeric), left_out) {}

    void start_tree(const train::TreeRows& rows) override {
        if (!gradients_.runs().numeric().empty()) gradients_.start_tree(rows);
    }
    const data::ColumnValues& values(std::uint32_t feature) const override { return columns_[feature]; }

    std::vector<BoostingCandidate> search(const train::BoostingSplitRules& rules,
                                          std::span<const ThresholdNode> nodes) override {
        const std::size_t bytes_a_slot = 64 * std::max<std::size_t>(gradients_.runs().numeric().size(), 1) + 512;
        const std::size_t step = k_slot_buffer_bytes / bytes_a_slot + 1;
        std::vector<BoostingCandidate> all;
        if (gradients_.runs().numeric().empty()) all.resize(nodes.size());
        for (std::size_t begin = all.size(); begin < nodes.size(); begin += step) {
            const auto some = nodes.subspan(begin, std::min(step, nodes.size() - begin));
            auto found = settle(some, best_of_columns(rules, some));
            std::move(found.begin(), found.end(), std::back_inserter(all));
        }
        return all;
    }

  private:
    std::vector<ThresholdCandidate> best_of_columns(const train::BoostingSplitRules& rules,
                                                    std::span<const ThresholdNode> nodes) {
        gradients_.set_slots(nodes);
        const auto columns = columns_asked_about(nodes);
        const std::size_t step = gradients_.columns_a_batch();
        std::vector<ThresholdCandidate> best(nodes.size());
        for (std::size_t begin = 0; begin < columns.size(); begin += step) {
            const auto batch = std::span(columns).subspan(begin, std::min(step, columns.size() - begin));
            const GradientRuns::Pass pass(gradients_, batch);
            BatchSums sums = sums_of(pass, batch, nodes.size());
            sweep(rules, nodes, pass, batch, sums, best);
        }
        if (comm_.size() > 1) {
            comm_.merge_all(std::span(best),
                            [](ThresholdCandidate& into, const ThresholdCandidate& from) { keep(from, into); });
        }
        return best;
    }

    static bool may_ask(const ThresholdNode& node, std::uint32_t feature) {
        return node.features == nullptr || node.features->empty() || (*node.features)[feature] != 0;
    }

    std::vector<std::uint32_t> columns_asked_about(std::span<const ThresholdNode> nodes) const {
        std::vector<std::uint32_t> columns;
        for (const auto column : gradients_.runs().numeric()) {
            const auto asks = [&](const ThresholdNode& node) { return may_ask(node, column); };
            if (std::any_of(nodes.begin(), nodes.end(), asks)) columns.push_back(column);
        }
        return columns;
    }

    BatchSums sums_of(const GradientRuns::Pass& pass, std::span<const std::uint32_t> batch, std::size_t slots) {
        BatchSums sums;
        sums.slots = slots;
        comm::agree_on(comm_, [&] {
            sums.missing.assign(batch.size() * slots, {});
            if (comm_.size() > 1) {
                sums.before.assign(batch.size() * slots, {});
                sums.next.assign(batch.size() * slots, {});
            }
            parallel_for(batch.size(), [&](std::size_t i) {
                count_missing(batch[i], sums.of(sums.missing, i));
                if (comm_.size() > 1) count_run(pass, batch[i], i, sums);
            });
        });
        if (comm_.size() == 1) return sums;
        comm_.sum(as_words(sums.missing));
        comm_.exclusive_sum(as_words(sums.before));
        comm_.merge_from_higher(std::span(sums.next), NextValue{}, [](NextValue& into, const NextValue& from) {
            if (into.place.holder < 0) into = from;
        });
        return sums;
    }

    void count_missing(std::uint32_t column, std::span<GradientSums> missing) const {
        for (const auto row : gradients_.runs().run(column).missing) {
            const SweptRow swept = gradients_.row(row);
            if (swept.slot != train::k_closed_slot) missing[swept.slot] += {swept.gradient, swept.hessian, 1};
        }
    }

    /// This rank's run of a column: the sums of its slots and the first value of each.
    void count_run(const GradientRuns::Pass& pass, std::uint32_t column, std::size_t i, BatchSums& sums) const {
        const auto own = sums.of(sums.before, i);
        const auto first = sums.of(sums.next, i);
        const std::uint64_t first_code = gradients_.runs().run(column).first_code;
        pass.read(i, [&](const train::GradientBlock& block) {
            for (std::size_t e = 0; e < block.count; ++e) {
                const std::uint32_t slot = block.slots[e];
                if (slot == train::k_closed_slot) continue;
                own[slot] += {block.gradients[e], block.hessians[e], 1};
                if (first[slot].place.holder < 0) {
                    first[slot] = {{comm_.rank(), block.first_position + e}, first_code + block.codes[e]};
                }
            }
        });
    }

    void sweep(const train::BoostingSplitRules& rules, std::span<const ThresholdNode> nodes,
               const GradientRuns::Pass& pass, std::span<const std::uint32_t> batch, BatchSums& sums,
               std::vector<ThresholdCandidate>& best) const {
        std::vector<std::vector<ThresholdCandidate>> found(batch.size());
        comm::agree_on(comm_, [&] {
            std::vector<BoostingNodeView> views;
            for (const ThresholdNode& node : nodes) views.push_back(node.view);
            parallel_for(batch.size(), [&](std::size_t i) {
                train::BoostingSweepInput input;
                input.rules = &rules;
                input.nodes = views;
                input.feature = batch[i];
                input.rank = comm_.rank();
                input.first_code = gradients_.runs().run(batch[i]).first_code;
                input.before = sums.of(sums.before, i);
                input.missing = sums.of(sums.missing, i);
                input.next = sums.of(sums.next, i);
                train::BoostingSweep sweep(input);
                pass.read(i, [&](const train::GradientBlock& block) { sweep.consume(block); });
                found[i] = sweep.finish();
            });
        });
        for (std::size_t i = 0; i < batch.size(); ++i) {
            for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
                if (may_ask(nodes[slot], batch[i])) keep(found[i][slot], best[slot]);
            }
        }
    }

    /// Four numbers a slot: the ends of the gap that a threshold stands in, the negated least value, the greatest one.
    std::vector<double> find_ends(std::span<const ThresholdNode> nodes, const std::vector<ThresholdCandidate>& best) {
        std::vector<RunQuery> queries;
        std::vector<std::size_t> asked;
        std::vector<double> ends(4 * nodes.size(), k_unknown);
        comm::agree_on(comm_, [&] {
            for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
                const train::RunPlace places[] = {best[slot].left_end, best[slot].right_begin};
                for (std::size_t end = 0; best[slot].valid != 0 && end < 2; ++end) {
                    if (places[end].holder != comm_.rank()) continue;
                    queries.push_back({best[slot].feature, places[end].position});
                    asked.push_back(4 * slot + end);
                }
            }
            parallel_for(nodes.size(), [&](std::size_t slot) {
                if (best[slot].valid != 0) find_range(nodes[slot], best[slot].feature, &ends[4 * slot + 2]);
            });
        });
        const std::vector<double> values = gradients_.runs().values_at(queries);
        for (std::size_t q = 0; q < values.size(); ++q) ends[asked[q]] = values[q];
        comm_.max(std::span(ends));
        return ends;
    }

    void find_range(const ThresholdNode& node, std::uint32_t feature, double* range) const {
        std::visit(
            [&](const auto& column) {
                using Cell = typename std::decay_t<decltype(column)>::value_type;
                if constexpr (!std::is_same_v<Cell, std::string>) {
                    for (const train::RowEntry entry : node.rows) {
                        const Cell cell = column[train::row_of(entry)];
                        if (!data::has_value(cell)) continue;
                        const double value = static_cast<double>(cell) + 0.0;  // -0 is 0
                        range[0] = std::max(range[0], -value);
                        range[1] = std::max(range[1], value);
                    }
                }
            },
            columns_[feature]);
    }

    std::vector<BoostingCandidate> settle(std::span<const ThresholdNode> nodes,
                                          const std::vector<ThresholdCandidate>& best) {
        const std::vector<double> ends = find_ends(nodes, best);
        std::vector<BoostingCandidate> settled(nodes.size());
        for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
            if (best[slot].valid == 0) continue;
            BoostingCandidate& candidate = settled[slot];
            candidate.score = best[slot].score;
            candidate.feature = best[slot].feature;
            candidate.valid = candidate.by_value = 1;
            candidate.missing_seen = best[slot].missing_seen;
            candidate.missing_right = best[slot].missing_right;
            candidate.left = best[slot].left;
            const double* const of_slot = &ends[4 * slot];
            candidate.threshold = best[slot].right_begin.holder < 0
                                      ? std::numeric_limits<double>::infinity()
                                      : train::threshold_between(of_slot[0], of_slot[1]);
            candidate.low = -of_slot[2] + 0.0;
            candidate.high = of_slot[3];
        }
        return settled;
    }

    comm::Communicator& comm_;
    std::vector<data::ColumnValues> columns_;
    GradientRuns gradients_;
};

}  // namespace

std::unique_ptr<train::ThresholdSearch> make_threshold_search(comm::Communicator& comm,
                                                              std::vector<data::ColumnValues> columns,
                                                              std::vector<std::uint32_t> numeric,
                                                              const std::vector<bool>& left_out) {
    return std::make_unique<RunThresholds>(comm, std::move(columns), std::move(numeric), left_out);
}

}  // namespace regrove::dist
