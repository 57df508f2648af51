#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

#include "regrove/bornagain/heuristic.hpp"
#include "regrove/core/parallel.hpp"

#include "box_heuristic_samples.hpp"
#include "box_heuristic_tree.hpp"
#include "purity.hpp"
#include "tensor_heuristic.hpp"

namespace regrove::bornagain {

namespace {

/// The high byte of the random streams of samples.
constexpr std::uint64_t k_sample_streams = std::uint64_t{8} << 56U;
/// A proof that takes more boxes is given up and its box cut in two.
constexpr std::uint64_t k_proof_boxes = 20000;
/// Boxes that one thread handles between two looks at the limits.
constexpr int k_boxes_a_turn = 8;

/// A box still to do. Its split depends on nothing but the box, the samples handed down and its place in the tree.
struct OpenBox {
    cellspace::Box box;
    SampledCells samples;
    std::uint64_t place = 1;  ///< a hash of the way from the root
    HeuristicPiece* piece = nullptr;

    std::uint64_t bytes() const {
        return samples.bytes() + sizeof(OpenBox) + 2 * sizeof(std::uint32_t) * box.low.size();
    }
};

std::uint64_t place_of_side(std::uint64_t place, bool right) {
    place = (place * 2 + (right ? 1 : 0)) * 0x9E3779B97F4A7C15U;
    return place ^ (place >> 31U);
}

/// What one thread uses again and again.
struct Bench {
    explicit Bench(const cellspace::CompiledEnsemble& ensemble) : prover(ensemble) {}
    PurityProver prover;
    std::vector<std::vector<std::uint8_t>> marks;
    HeuristicFigures figures;
};

class BoxHeuristic {
  public:
    BoxHeuristic(const cellspace::CompiledEnsemble& ensemble, const HeuristicOptions& options,
                 const HeuristicLimits& limits)
        : ensemble_(ensemble), options_(options), limits_(limits) {}

    HeuristicResult run(const cellspace::Box& box) {
        OpenBox root{box, {}, 1, &pieces_.emplace_back()};
        open_.push_back(std::move(root));
        HeuristicResult result;
        while (!open_.empty() && result.ended == HeuristicEnd::faithful) {
            if (limits_.ends && limits_.ends())
                result.ended = HeuristicEnd::stopped;
            else if (limits_.memory_bytes != 0 && bytes() > limits_.memory_bytes)
                result.ended = HeuristicEnd::out_of_memory;
            else
                take_turn();
        }
        for (const auto& bench : benches_) add(result.figures, bench->figures);
        if (open_.empty()) result.tree = join_pieces(pieces_.front());
        return result;
    }

  private:
    static void add(HeuristicFigures& sum, const HeuristicFigures& more) {
        sum.sampled_boxes += more.sampled_boxes;
        sum.proofs += more.proofs;
        sum.grids += more.grids;
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = pieces_.size() * sizeof(HeuristicPiece) + subtree_bytes_;
        for (const OpenBox& box : open_) sum += box.bytes();
        return sum;
    }

    /// The last open boxes, some a thread: depth first, so that few are open at a time.
    void take_turn() {
        const std::size_t takers = std::min<std::size_t>(open_.size(), thread_count());
        std::vector<OpenBox> taken;
        for (std::size_t i = 0; i < takers; ++i) {
            taken.push_back(std::move(open_.back()));
            open_.pop_back();
        }
        while (benches_.size() < takers) benches_.push_back(std::make_unique<Bench>(ensemble_));
        parallel_for(takers, [&](std::size_t i) {
            std::vector<OpenBox> own;
            own.push_back(std::move(taken[i]));
            for (int done = 0; done < k_boxes_a_turn && !own.empty(); ++done) {
                OpenBox next = std::move(own.back());
                own.pop_back();
                handle(next, own, *benches_[i]);
            }
            const std::lock_guard lock(mutex_);
            for (OpenBox& left : own) open_.push_back(std::move(left));
        });
    }

    void handle(OpenBox& open, std::vector<OpenBox>& own, Bench& bench) {
        ReachState& state = bench.prover.state();
        state.begin(open.box, ensemble_.class_at(open.box.low));
        const OpenGrid grid = open_grid(state, bench.marks);
        if (grid.has_one_cell()) {
            open.piece->subtree = one_leaf(state.own_class());
            return;
        }
        if (is_small(grid, options_.grid_cells)) return finish_grid(open, grid, bench);
        top_up(open.samples, grid, ensemble_, CounterRandom(options_.seed, k_sample_streams | (open.place >> 8U)),
               options_.samples);
        const CellCut cut = is_uniform(open.samples) ? prove_or_cut(open, grid, bench)
                                                     : best_gain_cut(open.samples, grid, ensemble_.classes());
        if (!open.piece->subtree.nodes.empty()) return;
        ++bench.figures.sampled_boxes;
        split(open, cut, own);
    }

    void finish_grid(OpenBox& open, const OpenGrid& grid, Bench& bench) {
        ++bench.figures.grids;
        const RootTensor root = root_tensor(ensemble_, grid.starts);
        TensorHeuristicOptions options;
        options.objective = options_.objective;
        open.piece->subtree = heuristic_tree(root, ensemble_, options);
        const std::lock_guard lock(mutex_);
        subtree_bytes_ += open.piece->subtree.nodes.size() * sizeof(CellNode);
    }

    /// A leaf if the box is pure; else a cut that its violator tells of, or the one at which the proof began.
    CellCut prove_or_cut(OpenBox& open, const OpenGrid& grid, Bench& bench) {
        ++bench.figures.proofs;
        const PurityResult result = bench.prover.prove(open.box, {k_proof_boxes, {}});
        if (result.purity == Purity::pure) {
            open.piece->subtree = one_leaf(result.class_index);
            return {};
        }
        if (result.purity == Purity::undecided) {
            bench.prover.state().begin(open.box, result.class_index);
            return bench.prover.state().widest_cut(result.class_index == 0 ? 1 : 0);
        }
        open.samples.add(open.box.low, result.class_index);
        open.samples.add(result.other_cell, ensemble_.class_at(result.other_cell));
        return best_gain_cut(open.samples, grid, ensemble_.classes());
    }

    void split(OpenBox& open, const CellCut& cut, std::vector<OpenBox>& own) {
        open.piece->cut = cut;
        for (const bool right : {true, false}) {
            OpenBox side;
            side.box = open.box;
            (right ? side.box.low : side.box.high)[cut.axis] = right ? cut.cell + 1 : cut.cell;
            side.samples = take_side(open.samples, cut, right, open.box.low.size());
            side.place = place_of_side(open.place, right);
            {
                const std::lock_guard lock(mutex_);
                side.piece = &pieces_.emplace_back();
            }
            (right ? open.piece->right : open.piece->left) = side.piece;
            own.push_back(std::move(side));
        }
    }

    const cellspace::CompiledEnsemble& ensemble_;
    const HeuristicOptions& options_;
    const HeuristicLimits& limits_;
    std::vector<OpenBox> open_;
    std::deque<HeuristicPiece> pieces_;
    std::uint64_t subtree_bytes_ = 0;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Bench>> benches_;
};

}  // namespace

HeuristicResult heuristic_tree(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                               const HeuristicOptions& options, const HeuristicLimits& limits) {
    return BoxHeuristic(ensemble, options, limits).run(box);
}

}  // namespace regrove::bornagain
