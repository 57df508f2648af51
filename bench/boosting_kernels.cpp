// How long histograms and partitions of a million rows of 28 features take.
#include <benchmark/benchmark.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/train/boosting_histogram.hpp"
#include "regrove/train/boosting_partition.hpp"

namespace regrove::train {
namespace {

constexpr std::size_t k_rows = 1000000;
constexpr std::size_t k_features = 28;

const BoostingTable& table() {
    static const BoostingTable made = [] {
        binning::BinnedTable binned;
        binned.rows = k_rows;
        for (std::size_t f = 0; f < k_features; ++f) {
            const CounterRandom random(1, f);
            binning::Bins bins;
            bins.count = f % 7 == 6 ? 3 : 255;  // as in the Higgs table: a few features have few values
            std::vector<std::uint8_t> codes(k_rows);
            for (std::size_t i = 0; i < k_rows; ++i)
                codes[i] = static_cast<std::uint8_t>(random.below(i, bins.count));
            binned.bins.push_back(bins);
            binned.codes.emplace_back(std::move(codes));
        }
        return BoostingTable(std::move(binned));
    }();
    return made;
}

/// One row of `step` takes part.
TreeRows rows_of(std::uint64_t step, bool packed) {
    const CounterRandom random(2, 0);
    std::vector<double> gradient(k_rows);
    std::vector<double> hessian(k_rows);
    RowMarks marks;
    marks.marks.resize(k_rows);
    for (std::size_t i = 0; i < k_rows; ++i) {
        gradient[i] = random.uniform(i) - 0.5;
        hessian[i] = random.uniform(i) / 4;
        marks.marks[i] = random.below(k_rows + i, step) == 0 ? 1 : 0;
    }
    const GradientView view{gradient, hessian, &marks};
    TreeRows rows;
    const GradientFacts facts = gradient_facts(view);
    fill_rows(view, packed ? packed_grid(facts) : wide_grid(facts), 1, rows);
    return rows;
}

/// Arguments: one row of how many, threads, packed.
void histogram(benchmark::State& state) {
    set_thread_count(static_cast<unsigned>(state.range(1)));
    const TreeRows rows = rows_of(static_cast<std::uint64_t>(state.range(0)), state.range(2) != 0);
    const HistogramJob job{rows.entries, shape_of_node(rows.grid, false, rows.entries.size())};
    Histogram out(job.shape, 0, table().layout().words());
    for (auto _ : state) {
        build_histograms(table(), rows, std::span(&job, 1), [&](std::size_t, std::uint32_t position) {
            return out.place(table().layout().first_word[position]);
        });
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(rows.entries.size()) * state.iterations());
}
BENCHMARK(histogram)
    ->ArgsProduct({{1, 3, 10, 30, 200}, {1, 2}, {1}})
    ->Args({1, 1, 0})
    ->Args({1, 2, 0})
    ->Unit(benchmark::kMicrosecond)
    ->UseRealTime();

/// Arguments: one row of how many, threads.
void split_rows(benchmark::State& state) {
    set_thread_count(static_cast<unsigned>(state.range(1)));
    TreeRows rows = rows_of(static_cast<std::uint64_t>(state.range(0)), true);
    std::vector<RowEntry> to(rows.entries.size());
    const std::vector<RowEntry> start = rows.entries;
    const CodeQuestion question{table().column(0), 100, 155, {}};
    for (auto _ : state) {
        state.PauseTiming();
        rows.entries = start;
        state.ResumeTiming();
        PartitionJob job{rows.entries, to, &question, 0};
        partition(std::span(&job, 1));
        benchmark::DoNotOptimize(job.left);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(to.size()) * state.iterations());
}
BENCHMARK(split_rows)->ArgsProduct({{1, 10, 100}, {1, 2}})->Unit(benchmark::kMicrosecond)->UseRealTime();

/// What the start of a tree costs.
void round_gradients(benchmark::State& state) {
    set_thread_count(static_cast<unsigned>(state.range(0)));
    std::vector<double> gradient(k_rows, 0.3);
    std::vector<double> hessian(k_rows, 0.1);
    hessian[0] = 0.2;
    const RowMarks all;
    const GradientView view{gradient, hessian, &all};
    TreeRows rows;
    for (auto _ : state) fill_rows(view, packed_grid(gradient_facts(view)), 1, rows);
    state.SetItemsProcessed(static_cast<std::int64_t>(k_rows) * state.iterations());
}
BENCHMARK(round_gradients)->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond)->UseRealTime();

}  // namespace
}  // namespace regrove::train
