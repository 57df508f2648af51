#include "sampled_bounds.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "regrove/core/random.hpp"

#include "purity.hpp"
#include "sampled_bounds_line.hpp"

namespace regrove::bornagain {

namespace {

/// The random stream of these samples, among those of the heuristic (high byte 8).
constexpr std::uint64_t k_stream = (std::uint64_t{8} << 56U) | 0xB0D5U;
/// Samples between two extensions of the set, so that there is one whenever the time is over.
constexpr std::uint32_t k_samples_a_round = 250;
/// How often a sampled cell is moved along all axes.
constexpr int k_sweeps = 2;
/// Ways from one cell to another that are looked at for a third class of cell, before a proof is tried.
constexpr std::uint32_t k_walks = 4;
/// Boxes that the proof of one pair may look at.
constexpr std::uint64_t k_pair_boxes = 200;

class BoundsSampler {
  public:
    BoundsSampler(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                  const SampledBoundsOptions& options, const std::function<bool()>& stop)
        : options_(options),
          stop_(stop),
          prover_(ensemble),
          random_(options.seed, k_stream),
          grid_(grid_of(ensemble, box)),
          box_(box),
          lines_(ensemble, grid_) {}

    SampledBounds run() {
        for (std::uint32_t done = 0; done < options_.samples && !stopped(); done += k_samples_a_round) {
            const std::uint32_t end = std::min(options_.samples, done + k_samples_a_round);
            for (std::uint32_t i = done; i < end && !stopped(); ++i) add_sample();
            extend_set();
        }
        return result();
    }

  private:
    OpenGrid grid_of(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box) {
        prover_.state().begin(box, ensemble.class_at(box.low));
        std::vector<std::vector<std::uint8_t>> marks;
        return open_grid(prover_.state(), marks);
    }

    /// The cells found since the last time, those with most ends first, join the set if they can share no leaf with
    /// any in it.
    void extend_set() {
        std::ranges::sort(found_, [](const LinedCell& a, const LinedCell& b) {
            if (a.ended_directions != b.ended_directions) return a.ended_directions > b.ended_directions;
            if (a.log2_volume != b.log2_volume) return a.log2_volume < b.log2_volume;
            return a.at < b.at;
        });
        for (LinedCell& cell : found_) {
            if (set_.size() >= options_.max_set || stopped()) break;
            if (std::ranges::all_of(set_, [&](const LinedCell& other) { return cannot_share(cell, other); }))
                set_.push_back(std::move(cell));
        }
        found_.clear();
    }

    bool stopped() {
        is_stopped_ = is_stopped_ || (stop_ && stop_());
        return is_stopped_;
    }

    /// A cell drawn from the grid and moved to where its class is most hemmed in; and the cells across its borders,
    /// which are so too.
    void add_sample() {
        LinedCell cell;
        for (const auto& starts : grid_.starts)
            cell.at.push_back(static_cast<std::uint32_t>(random_.below(next_++, starts.size())));
        lines_.scan(cell);
        for (int sweep = 0; sweep < k_sweeps; ++sweep) tighten(cell);
        std::vector<std::vector<std::uint32_t>> across;
        for (std::uint32_t axis = 0; axis < cell.at.size(); ++axis) {
            if (cell.first[axis] > 0) across.push_back(moved(cell, axis, cell.first[axis] - 1));
            if (cell.last[axis] + 1 < grid_.starts[axis].size())
                across.push_back(moved(cell, axis, cell.last[axis] + 1));
        }
        keep(std::move(cell));
        if (across.empty()) return;
        LinedCell other;
        other.at = across[random_.below(next_++, across.size())];
        lines_.scan(other);
        tighten(other);
        keep(std::move(other));
    }

    static std::vector<std::uint32_t> moved(const LinedCell& cell, std::uint32_t axis, std::uint32_t slice) {
        std::vector<std::uint32_t> at = cell.at;
        at[axis] = slice;
        return at;
    }

    /// Moves the cell to an end of each of its runs in turn where that ends more directions, or narrows its runs.
    void tighten(LinedCell& cell) {
        for (std::uint32_t axis = 0; axis < cell.at.size(); ++axis)
            for (const std::uint32_t slice : {cell.first[axis], cell.last[axis]}) {
                if (slice == cell.at[axis]) continue;
                LinedCell next;
                next.at = moved(cell, axis, slice);
                lines_.scan(next);
                const bool better = next.ended_directions != cell.ended_directions
                                        ? next.ended_directions > cell.ended_directions
                                        : next.log2_volume < cell.log2_volume;
                if (better) cell = std::move(next);
            }
    }

    /// Keeps a cell once, and what it tells about the hyperplanes at the ends of its runs.
    void keep(LinedCell&& cell) {
        if (!known_.insert(cell.at).second) return;
        most_directions_ = std::max(most_directions_, cell.ended_directions);
        for (std::uint32_t axis = 0; axis < cell.at.size(); ++axis) {
            if (cell.first[axis] > 0) relevant_.insert({axis, cell.first[axis]});
            if (cell.last[axis] + 1 < grid_.starts[axis].size()) relevant_.insert({axis, cell.last[axis] + 1});
        }
        found_.push_back(std::move(cell));
    }

    /// Whether the smallest box around both is certain to hold two classes.
    bool cannot_share(const LinedCell& a, const LinedCell& b) {
        if (a.class_index != b.class_index) return true;
        for (std::size_t axis = 0; axis < a.at.size(); ++axis) {
            if (b.at[axis] < a.first[axis] || b.at[axis] > a.last[axis]) return true;
            if (a.at[axis] < b.first[axis] || a.at[axis] > b.last[axis]) return true;
        }
        for (std::uint32_t walk = 0; walk < k_walks; ++walk)
            if (meets_other_class(a, b, walk)) return true;
        cellspace::Box between = box_;
        for (std::size_t axis = 0; axis < a.at.size(); ++axis) {
            between.low[axis] = grid_.starts[axis][std::min(a.at[axis], b.at[axis])];
            between.high[axis] = grid_.starts[axis][std::max(a.at[axis], b.at[axis])];
        }
        return prover_.prove(between, {k_pair_boxes, {}}).purity == Purity::impure;
    }

    /// Goes from a to b axis by axis, from a place in their order that `walk` says, at every second one backwards.
    bool meets_other_class(const LinedCell& a, const LinedCell& b, std::uint32_t walk) {
        const std::size_t axes = a.at.size();
        std::vector<std::uint32_t> at = a.at;
        for (std::size_t i = 0; i < axes; ++i) {
            const std::size_t turned = (i + walk / 2 * axes / 2) % axes;
            const std::size_t axis = walk % 2 == 0 ? turned : axes - 1 - turned;
            if (at[axis] == b.at[axis]) continue;
            at[axis] = b.at[axis];
            if (lines_.class_at(at) != a.class_index) return true;
        }
        return false;
    }

    SampledBounds result() const {
        SampledBounds bounds;
        bounds.relevant_hyperplanes = relevant_.size();
        bounds.leaves = std::max<std::uint64_t>({set_.size(), relevant_.size() + 1, 1});
        bounds.depth = std::max<std::uint64_t>(most_directions_, std::bit_width(bounds.leaves - 1));
        for (const LinedCell& cell : set_)
            for (std::size_t axis = 0; axis < cell.at.size(); ++axis)
                bounds.cells.push_back(grid_.starts[axis][cell.at[axis]]);
        return bounds;
    }

    const SampledBoundsOptions& options_;
    const std::function<bool()>& stop_;
    PurityProver prover_;
    CounterRandom random_;
    std::uint64_t next_ = 0;
    OpenGrid grid_;
    cellspace::Box box_;
    LineScanner lines_;
    bool is_stopped_ = false;
    std::uint32_t most_directions_ = 0;
    std::set<std::vector<std::uint32_t>> known_;
    /// Axis and first slice behind each hyperplane across which a class was seen to change: every faithful tree asks it.
    std::set<std::pair<std::uint32_t, std::uint32_t>> relevant_;
    std::vector<LinedCell> found_;
    std::vector<LinedCell> set_;
};

}  // namespace

SampledBounds sampled_bounds(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                             const SampledBoundsOptions& options, const std::function<bool()>& stop) {
    return BoundsSampler(ensemble, box, options, stop).run();
}

}  // namespace regrove::bornagain
