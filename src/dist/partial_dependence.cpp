// Chunk by chunk over the rows, point by point over the grid.
#include "regrove/dist/partial_dependence.hpp"

#include <algorithm>
#include <mutex>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/exact_sum.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/exact_means.hpp"
#include "regrove/infer/held_features.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::dist {

namespace {

/// Rows whose leaves in all trees are held at a time.
constexpr std::size_t k_chunk_rows = 32768;
constexpr std::size_t k_block_rows = 2048;

bool is_raw(const model::Ensemble& ensemble, Response response) {
    return response == Response::raw && ensemble.combination == model::Combination::sum;
}

std::size_t outputs_of(const model::Ensemble& ensemble, Response response) {
    return is_raw(ensemble, response) ? ensemble.scores() : ensemble.outputs();
}

std::vector<double> answers_of(const model::Ensemble& ensemble, const infer::Predictor& predictor,
                               const std::vector<NodeId>& leaves, const std::vector<double>& initial,
                               Response response) {
    if (is_raw(ensemble, response)) return predictor.raw(leaves, initial);
    return ensemble.task == model::Task::classification ? predictor.probabilities(leaves, initial)
                                                        : predictor.values(leaves, initial);
}

std::size_t point_count(const std::vector<GridFeature>& grid) {
    std::size_t count = 1;
    for (const GridFeature& feature : grid) count *= feature.points.size();
    return count;
}

/// The cells of a point of the grid, the last feature's running fastest.
std::vector<double> cells_at(const std::vector<GridFeature>& grid, std::size_t point) {
    std::vector<double> cells(grid.size());
    for (std::size_t f = grid.size(); f-- > 0;) {
        cells[f] = grid[f].points[point % grid[f].points.size()].cell;
        point /= grid[f].points.size();
    }
    return cells;
}

/// Adds every outputs-th number to each of `outputs` sums; threads may do so in any order.
void add_columns(const std::vector<double>& answers, std::size_t outputs, ExactSum* sums) {
    std::mutex merging;
    parallel_for_blocks(answers.size() / outputs, k_block_rows, [&](std::size_t begin, std::size_t end) {
        std::vector<ExactSum> own(outputs);
        for (std::size_t row = begin; row < end; ++row)
            for (std::size_t k = 0; k < outputs; ++k) own[k].add(answers[row * outputs + k]);
        const std::lock_guard guard(merging);
        for (std::size_t k = 0; k < outputs; ++k) sums[k].merge(own[k]);
    });
}

/// The sums over this rank's rows.
std::vector<ExactSum> own_sums(const model::Ensemble& ensemble, const data::TableShard& shard,
                               const std::vector<GridFeature>& grid, Response response) {
    const std::size_t outputs = outputs_of(ensemble, response);
    const std::size_t points = point_count(grid);
    const infer::Binding binding(ensemble, shard.schema);
    const infer::Predictor predictor(ensemble, shard.schema);
    std::vector<FeatureId> features;
    for (const GridFeature& feature : grid) features.push_back(feature.feature);
    const infer::HeldFeatures held(ensemble, binding, features);
    std::vector<ExactSum> sums(points * outputs);
    Progress progress("asking", shard.rows, "rows");
    for (std::size_t begin = 0; begin < shard.rows; begin += k_chunk_rows) {
        const std::size_t end = std::min<std::size_t>(begin + k_chunk_rows, shard.rows);
        const data::TableShard chunk = data::slice(shard, begin, end);
        const std::vector<NodeId> as_they_are = predictor.leaves(chunk);
        const std::vector<double> initial = infer::initial_scores_of(ensemble, chunk);
        for (std::size_t point = 0; point < points; ++point) {
            std::vector<NodeId> leaves = as_they_are;
            held.walk(chunk, cells_at(grid, point), leaves);
            add_columns(answers_of(ensemble, predictor, leaves, initial, response), outputs,
                        sums.data() + point * outputs);
        }
        progress.advance(end - begin);
    }
    return sums;
}

}  // namespace

std::vector<double> partial_dependence(comm::Communicator& comm, const model::Ensemble& ensemble,
                                       const data::TableShard& shard, const std::vector<GridFeature>& grid,
                                       Response response) {
    const std::uint64_t rows = comm.sum(shard.rows);
    if (rows == 0) throw InputError("the table has no rows to ask the model about");
    const auto sums = comm::agree_on(comm, [&] { return own_sums(ensemble, shard, grid, response); });
    return exact_means(comm, sums, rows);
}

}  // namespace regrove::dist
