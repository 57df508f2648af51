// Kernels that add one 64-bit word a feature, into thread-local bins that are then moved to where they belong.
#include "regrove/train/boosting_histogram.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::train {

namespace {

/// Rows whose words are added before they are moved to the histogram; fits k_packed_sum_rows.
constexpr std::size_t k_rows_a_chunk = 32768;
/// Rows ahead of which codes are fetched: about the time that memory takes.
constexpr std::size_t k_prefetch_rows = 32;
/// Bins of an 8-bit feature in the scratch: fixed, so that places are constants.
constexpr std::size_t k_narrow_bins = 256;

/// What rows add to a plane.
struct PackedWords {
    std::int64_t operator()(RowEntry entry) const { return packed_word(entry); }
};
struct RowCounts {
    std::int64_t operator()(RowEntry) const { return 1; }
};
struct WideWords {
    const std::int64_t* by_row;
    std::int64_t operator()(RowEntry entry) const { return by_row[row_of(entry)]; }
};

/// Four features a group; the pads of the last group add to bin 0 of features that are not there.
template <std::size_t groups, class Words>
void add_narrow(const FeatureTile& tile, std::span<const RowEntry> entries, const Words& words, std::int64_t* bins) {
    const std::uint8_t* const codes = tile.codes.data();
    const std::size_t stride = tile.stride_bytes;
    const std::size_t count = entries.size();
    const auto add = [&](RowEntry entry) {
        const std::uint8_t* const row = codes + row_of(entry) * stride;
        const std::int64_t word = words(entry);
#pragma GCC unroll 32
        for (std::size_t f = 0; f < 4 * groups; ++f) bins[f * k_narrow_bins + row[f]] += word;
    };
    const std::size_t fetched = count > k_prefetch_rows ? count - k_prefetch_rows : 0;
    std::size_t i = 0;
    for (; i < fetched; ++i) {
        __builtin_prefetch(codes + row_of(entries[i + k_prefetch_rows]) * stride);
        add(entries[i]);
    }
    for (; i < count; ++i) add(entries[i]);
}

template <class Words, std::size_t... groups>
void add_narrow(const FeatureTile& tile, std::span<const RowEntry> entries, const Words& words, std::int64_t* bins,
                std::index_sequence<groups...>) {
    using Kernel = void (*)(const FeatureTile&, std::span<const RowEntry>, const Words&, std::int64_t*);
    constexpr std::array<Kernel, sizeof...(groups)> kernels{&add_narrow<groups + 1, Words>...};
    kernels[(tile.features.size() - 1) / 4](tile, entries, words, bins);
}

/// 16-bit codes; the bins of a feature follow those of the one before.
template <class Words>
void add_wide(const FeatureTile& tile, const HistogramLayout& layout, std::span<const RowEntry> entries,
              const Words& words, std::int64_t* bins) {
    const std::size_t features = tile.features.size();
    std::array<std::int64_t*, 16> first{};
    for (std::size_t f = 0; f < features; ++f) {
        first[f] = bins + (layout.first_word[tile.first_position + f] - layout.first_word[tile.first_position]);
    }
    const auto* const codes = reinterpret_cast<const std::uint16_t*>(tile.codes.data());
    const std::size_t stride = tile.stride_bytes / sizeof(std::uint16_t);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::size_t ahead = std::min(i + k_prefetch_rows, entries.size() - 1);
        __builtin_prefetch(codes + row_of(entries[ahead]) * stride);
        const std::uint16_t* const row = codes + row_of(entries[i]) * stride;
        const std::int64_t word = words(entries[i]);
        for (std::size_t f = 0; f < features; ++f) first[f][row[f]] += word;
    }
}

template <class Words>
void add_rows(const FeatureTile& tile, const HistogramLayout& layout, std::span<const RowEntry> entries,
              const Words& words, std::int64_t* bins) {
    if (tile.code_bytes == 1) {
        add_narrow(tile, entries, words, bins, std::make_index_sequence<8>{});
    } else {
        add_wide(tile, layout, entries, words, bins);
    }
}

/// Thread-local bins, all zero between uses.
std::vector<std::int64_t>& scratch_bins(std::size_t words) {
    thread_local std::vector<std::int64_t> bins;
    if (bins.size() < words) bins.resize(words, 0);
    return bins;
}

std::size_t scratch_words(const FeatureTile& tile, const HistogramLayout& layout) {
    const std::size_t last = tile.first_position + tile.features.size();
    return tile.code_bytes == 1 ? 32 * k_narrow_bins
                                : layout.first_word[last] - layout.first_word[tile.first_position];
}

/// One chunk of rows of one node in one tile.
struct ChunkTask {
    std::uint32_t job = 0;
    std::uint32_t tile = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::mutex* shared = nullptr;  ///< several chunks add to one place; null: the first and only one
};

enum class PlaneKind : std::uint8_t { packed, gradients, hessians, counts, packed_in_two };

class Builder {
  public:
    Builder(const BoostingTable& table, const TreeRows& rows, std::span<const HistogramJob> jobs,
            const std::function<HistogramPlace(std::size_t, std::uint32_t)>& place)
        : table_(table), rows_(rows), jobs_(jobs), place_(place) {}

    void run(const ChunkTask& task) const {
        const HistogramShape& shape = jobs_[task.job].shape;
        const bool packed = rows_.grid.packed;
        if (packed) fill(task, shape.packed ? PlaneKind::packed : PlaneKind::packed_in_two, 0);
        if (!packed) fill(task, PlaneKind::gradients, 0);
        if (!packed) fill(task, PlaneKind::hessians, 1);
        if (shape.counts) fill(task, PlaneKind::counts, shape.planes() - 1);
    }

  private:
    void fill(const ChunkTask& task, PlaneKind kind, std::size_t plane) const {
        const FeatureTile& tile = table_.tiles()[task.tile];
        const HistogramLayout& layout = table_.layout();
        const auto entries = jobs_[task.job].entries.subspan(task.begin, task.end - task.begin);
        std::int64_t* const bins = scratch_bins(scratch_words(tile, layout)).data();
        if (kind == PlaneKind::packed || kind == PlaneKind::packed_in_two) {
            add_rows(tile, layout, entries, PackedWords{}, bins);
        } else if (kind == PlaneKind::counts) {
            add_rows(tile, layout, entries, RowCounts{}, bins);
        } else {
            const auto& by_row = kind == PlaneKind::gradients ? rows_.gradient : rows_.hessian;
            add_rows(tile, layout, entries, WideWords{by_row.data()}, bins);
        }
        if (task.shared != nullptr) {
            const std::lock_guard guard(*task.shared);
            move_out(task, tile, kind, plane, bins);
        } else {
            move_out(task, tile, kind, plane, bins);
        }
    }

    void move_out(const ChunkTask& task, const FeatureTile& tile, PlaneKind kind, std::size_t plane,
                  std::int64_t* bins) const {
        const HistogramLayout& layout = table_.layout();
        for (std::size_t f = 0; f < tile.features.size(); ++f) {
            const auto position = static_cast<std::uint32_t>(tile.first_position + f);
            const std::size_t count = layout.words_of(position);
            const HistogramPlace place = place_(task.job, position);
            std::int64_t* const out = place.first + plane * place.plane_stride;
            if (kind == PlaneKind::packed_in_two) {
                move_in_two(bins, count, out, out + place.plane_stride, task.shared != nullptr);
            } else {
                move_words(bins, count, out, task.shared != nullptr);
            }
            bins += tile.code_bytes == 1 ? k_narrow_bins : count;
        }
        if (tile.code_bytes != 1) return;
        for (std::size_t f = tile.features.size(); f % 4 != 0; ++f, bins += k_narrow_bins) bins[0] = 0;
    }

    static void move_words(std::int64_t* bins, std::size_t count, std::int64_t* out, bool add) {
        if (add) {
            for (std::size_t b = 0; b < count; ++b) out[b] += bins[b];
        } else {
            std::copy_n(bins, count, out);
        }
        std::fill_n(bins, count, 0);
    }
    static void move_in_two(std::int64_t* bins, std::size_t count, std::int64_t* gradients, std::int64_t* hessians,
                            bool add) {
        for (std::size_t b = 0; b < count; ++b) {
            const std::int64_t gradient = gradient_of_word(bins[b]);
            const std::int64_t hessian = hessian_of_word(bins[b]);
            gradients[b] = add ? gradients[b] + gradient : gradient;
            hessians[b] = add ? hessians[b] + hessian : hessian;
            bins[b] = 0;
        }
    }

    const BoostingTable& table_;
    const TreeRows& rows_;
    std::span<const HistogramJob> jobs_;
    const std::function<HistogramPlace(std::size_t, std::uint32_t)>& place_;
};

/// Where several chunks add up, there must be zeros before.
void set_to_zero(const FeatureTile& tile, const HistogramLayout& layout, const HistogramShape& shape,
                 const std::function<HistogramPlace(std::size_t, std::uint32_t)>& place, std::size_t job) {
    for (std::size_t f = 0; f < tile.features.size(); ++f) {
        const auto position = static_cast<std::uint32_t>(tile.first_position + f);
        const HistogramPlace p = place(job, position);
        for (std::size_t plane = 0; plane < shape.planes(); ++plane) {
            std::fill_n(p.first + plane * p.plane_stride, layout.words_of(position), 0);
        }
    }
}

}  // namespace

void build_histograms(const BoostingTable& table, const TreeRows& rows, std::span<const HistogramJob> jobs,
                      const std::function<HistogramPlace(std::size_t, std::uint32_t)>& place) {
    const auto& tiles = table.tiles();
    std::vector<ChunkTask> tasks;
    std::vector<std::unique_ptr<std::mutex>> mutexes;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        const std::size_t count = jobs[job].entries.size();
        for (std::size_t t = 0; t < tiles.size(); ++t) {
            std::mutex* shared = nullptr;
            if (count > k_rows_a_chunk) {
                shared = mutexes.emplace_back(std::make_unique<std::mutex>()).get();
                set_to_zero(tiles[t], table.layout(), jobs[job].shape, place, job);
            }
            std::size_t begin = 0;
            do {
                const std::size_t end = std::min(begin + k_rows_a_chunk, count);
                tasks.push_back({static_cast<std::uint32_t>(job), static_cast<std::uint32_t>(t),
                                 static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), shared});
                begin = end;
            } while (begin < count);
        }
    }
    // Large ones first, so that threads end together.
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const ChunkTask& a, const ChunkTask& b) { return a.end - a.begin > b.end - b.begin; });
    const Builder builder(table, rows, jobs, place);
    parallel_for(tasks.size(), [&](std::size_t i) { builder.run(tasks[i]); });
}

void subtract(Histogram& parent, const Histogram& smaller, HistogramShape shape) {
    REGROVE_CHECK(parent.count_ == smaller.count_ &&
                  (!parent.shape_.packed || (shape.packed && smaller.shape_.packed)));
    const std::uint64_t count = parent.count_;
    std::int64_t* const words = parent.plane(0);
    const std::int64_t* const less = smaller.plane(0);
    const std::size_t parent_counts = parent.shape_.planes() - 1;
    if (parent.shape_.packed) {
        for (std::uint64_t i = 0; i < count; ++i) words[i] -= less[i];
    } else {
        std::int64_t* const hessians = parent.plane(1);
        if (smaller.shape_.packed) {
            for (std::uint64_t i = 0; i < count; ++i) {
                words[i] -= gradient_of_word(less[i]);
                hessians[i] -= hessian_of_word(less[i]);
            }
        } else {
            const std::int64_t* const less_hessians = smaller.plane(1);
            for (std::uint64_t i = 0; i < count; ++i) {
                words[i] -= less[i];
                hessians[i] -= less_hessians[i];
            }
        }
        if (shape.packed) {
            for (std::uint64_t i = 0; i < count; ++i) words[i] = words[i] * (std::int64_t{1} << 32U) + hessians[i];
        }
    }
    if (shape.counts) {
        const std::int64_t* const less_counts = smaller.plane(smaller.shape_.planes() - 1);
        std::int64_t* const counts = parent.plane(parent_counts);
        std::int64_t* const out = parent.plane(shape.planes() - 1);
        for (std::uint64_t i = 0; i < count; ++i) out[i] = counts[i] - less_counts[i];
    }
    parent.shape_ = shape;
}

}  // namespace regrove::train
