// How long a million rows of 28 numeric features take to be binned by one rank.
#include "regrove/dist/bin_table.hpp"

#include <benchmark/benchmark.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"

namespace regrove::dist {
namespace {

constexpr std::size_t k_rows = 1000000;
constexpr std::size_t k_features = 28;
/// Columns are made of so many random numbers, each from its own place on; making all of them would take longer than
/// the benchmark.
constexpr std::size_t k_numbers = k_rows + k_features * 1000;

template <class T, class MakeCell>
TrainingSet make_set(MakeCell make_cell) {
    const CounterRandom random(1, 1);
    std::vector<T> numbers(k_numbers);
    for (std::size_t i = 0; i < k_numbers; ++i) numbers[i] = static_cast<T>(make_cell(random, i));
    TrainingSet set;
    for (std::size_t f = 0; f < k_features; ++f) {
        set.features.push_back({"f" + std::to_string(f), model::FeatureKind::numeric, {}, {}});
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(f * 1000);
        set.columns.emplace_back(std::vector<T>(begin, begin + k_rows));
    }
    set.target.layout.classes = 2;
    set.target.classes.resize(k_rows);
    set.global_rows = k_rows;
    return set;
}

double normal(const CounterRandom& random, std::size_t i) { return random.normal(i); }
double mostly_zero(const CounterRandom& random, std::size_t i) {
    return random.below(2 * i, 10) < 8 ? 0 : random.normal(2 * i + 1);
}
double one_of_200(const CounterRandom& random, std::size_t i) { return static_cast<double>(random.below(i, 200)); }

/// Arguments: max_bin, threads.
void bin(benchmark::State& state, TrainingSet (*make)()) {
    const TrainingSet set = make();
    set_thread_count(static_cast<unsigned>(state.range(1)));
    const auto comm = comm::make_self_communicator();
    for (auto _ : state) {
        benchmark::DoNotOptimize(bin_table(*comm, set, static_cast<std::uint32_t>(state.range(0))));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(k_rows * k_features) * state.iterations());
}
void settings(benchmark::internal::Benchmark* bench) {
    bench->Args({255, 1})->Args({255, 2})->Args({65535, 2})->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK_CAPTURE(bin, float_normal, [] { return make_set<float>(normal); })->Apply(settings);
BENCHMARK_CAPTURE(bin, double_normal, [] { return make_set<double>(normal); })->Apply(settings);
BENCHMARK_CAPTURE(bin, double_mostly_zero, [] { return make_set<double>(mostly_zero); })->Apply(settings);
BENCHMARK_CAPTURE(bin, float_one_of_200, [] { return make_set<float>(one_of_200); })->Apply(settings);

void exactly(benchmark::State& state) {
    set_thread_count(2);
    const TrainingSet set = make_set<float>(normal);
    for (auto _ : state) benchmark::DoNotOptimize(bin_exactly(set));
    state.SetItemsProcessed(static_cast<std::int64_t>(k_rows * k_features) * state.iterations());
}
BENCHMARK(exactly)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace regrove::dist
