// Cells travel to the rows that they are dealt to; the leaves without permuting are kept and only what changes is walked.
#include "regrove/dist/permutation_importance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/infer/changed_feature.hpp"

namespace regrove::dist {

namespace {

/// Keeps these random streams apart from those of other users of the same seed: "pi" in the upper 16 bits.
constexpr std::uint64_t k_stream = 0x7069ULL << 48U;
constexpr std::size_t k_grain_rows = 4096;

/// A cell on its way to another row.
struct MovingCell {
    RowIndex row = 0;
    double cell = 0;
};

/// The ranks' consecutive shares of the rows.
class RowShares {
  public:
    RowShares(comm::Communicator& comm, std::uint64_t own_rows)
        : own_(own_rows),
          rank_(static_cast<std::size_t>(comm.rank())),
          begins_(comm.gather_all(comm.exclusive_sum(own_rows))),
          total_(comm.sum(own_rows)) {}

    std::uint64_t total() const { return total_; }
    std::uint64_t own() const { return own_; }
    RowIndex begin() const { return begins_[rank_]; }
    /// Ranks without rows begin where the next one does, so the last that begins at or before the row has it.
    std::size_t owner(RowIndex row) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(begins_, row) - begins_.begin()) - 1;
    }

  private:
    std::uint64_t own_;
    std::size_t rank_;
    std::vector<RowIndex> begins_;
    std::uint64_t total_;
};

std::vector<RowIndex> destinations(const RowShares& shares, const KeyedPermutation& order) {
    std::vector<RowIndex> rows(shares.own());
    parallel_for_blocks(rows.size(), k_grain_rows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) rows[i] = order(shares.begin() + i);
    });
    return rows;
}

/// Each cell with its row, sorted by the rank that holds the row.
comm::Pieces<MovingCell> pieces_by_owner(const RowShares& shares, const std::vector<RowIndex>& rows,
                                         const std::vector<double>& cells, int ranks) {
    comm::Pieces<MovingCell> pieces;
    pieces.counts.resize(static_cast<std::size_t>(ranks));
    for (const RowIndex row : rows) ++pieces.counts[shares.owner(row)];
    std::vector<std::size_t> next(pieces.counts.size());
    for (std::size_t r = 1; r < next.size(); ++r) next[r] = next[r - 1] + pieces.counts[r - 1];
    pieces.values.resize(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) pieces.values[next[shares.owner(rows[i])]++] = {rows[i], cells[i]};
    return pieces;
}

/// This rank's cells after each of all rows' cells has moved to where `order` sends it. Collective.
std::vector<double> dealt_anew(comm::Communicator& comm, const RowShares& shares, const std::vector<double>& cells,
                               const KeyedPermutation& order) {
    const auto rows = comm::agree_on(comm, [&] { return destinations(shares, order); });
    std::vector<double> dealt(cells.size());
    if (comm.size() == 1) {
        for (std::size_t i = 0; i < rows.size(); ++i) dealt[rows[i]] = cells[i];
        return dealt;
    }
    const auto received = comm.exchange(pieces_by_owner(shares, rows, cells, comm.size()));
    REGROVE_CHECK(received.values.size() == dealt.size());
    for (const MovingCell& moved : received.values) dealt[moved.row - shares.begin()] = moved.cell;
    return dealt;
}

void summarise(PermutationImportance& feature) {
    const auto repeats = static_cast<double>(feature.losses.size());
    double sum = 0;
    for (const double loss : feature.losses) sum += loss;
    feature.mean = sum / repeats;
    double squares = 0;
    for (const double loss : feature.losses) squares += (loss - feature.mean) * (loss - feature.mean);
    feature.standard_deviation =
        repeats > 1 ? std::sqrt(squares / (repeats - 1)) : std::numeric_limits<double>::quiet_NaN();
    feature.standard_error = feature.standard_deviation / std::sqrt(repeats);
}

/// What stays the same for all features: the model bound to the rows, and what it says of them as they are.
struct Scene {
    const model::Ensemble& ensemble;
    const data::TableShard& shard;
    const metric::Metric& metric;
    infer::Binding binding;
    infer::Predictor predictor;
    std::vector<NodeId> leaves;
    Answers answers;

    Scene(const model::Ensemble& model, const data::TableShard& rows, const metric::Metric& chosen)
        : ensemble(model),
          shard(rows),
          metric(chosen),
          binding(model, rows.schema),
          predictor(model, rows.schema),
          leaves(predictor.leaves(rows)),
          answers(answer_rows(model, predictor, rows)) {
        metric::validate(answers.view());
    }
};

/// The metric when the rows' cells of one feature are these. Collective.
double number_with(comm::Communicator& comm, const Scene& scene, const infer::ChangedFeature& changed,
                   const std::vector<double>& cells, Answers& answers) {
    comm::agree_on(comm, [&] {
        std::vector<NodeId> leaves = scene.leaves;
        changed.walk_again(scene.shard, cells, leaves);
        predict_again(answers, scene.ensemble, scene.predictor, leaves, scene.metric.needs_probability);
    });
    return metric_number(comm, scene.metric, answers.view());
}

}  // namespace

PermutationResult permutation_importance(comm::Communicator& comm, const model::Ensemble& ensemble,
                                         const data::TableShard& shard, const metric::Metric& metric,
                                         std::uint32_t repeats, std::uint64_t seed) {
    REGROVE_CHECK(repeats > 0 && repeats <= k_most_repeats);
    const Scene scene = comm::agree_on(comm, [&] { return Scene(ensemble, shard, metric); });
    const RowShares shares(comm, shard.rows);
    PermutationResult result;
    result.baseline = metric_number(comm, metric, scene.answers.view());
    if (std::isnan(result.baseline))
        throw InputError("the metric " + metric.name +
                         " is not defined on these rows, so no loss of it can be measured");
    result.features.resize(ensemble.features.size());
    Answers answers = scene.answers;
    Progress progress("permuting", result.features.size(), "features");
    for (std::uint32_t f = 0; f < result.features.size(); ++f, progress.advance(1)) {
        PermutationImportance& feature = result.features[f];
        feature.used = scene.binding.is_used(FeatureId{f});
        feature.losses.assign(repeats, 0);
        if (!feature.used) continue;
        const auto cells = comm::agree_on(comm, [&] { return scene.binding.feature_cells(shard, FeatureId{f}); });
        const infer::ChangedFeature changed(ensemble, scene.binding, FeatureId{f});
        for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
            // More repeats leave the former ones as they are.
            const std::uint64_t stream = k_stream | std::uint64_t{f} << 16U | repeat;
            const KeyedPermutation order(seed, stream, shares.total());
            const double number = number_with(comm, scene, changed, dealt_anew(comm, shares, cells, order), answers);
            feature.losses[repeat] = metric.larger_is_better ? result.baseline - number : number - result.baseline;
        }
        summarise(feature);
    }
    return result;
}

}  // namespace regrove::dist
