// Rows a second of each kind of synthetic table on one thread, made and written as text.
#include <benchmark/benchmark.h>

#include "regrove/core/parallel.hpp"
#include "regrove/generate/delimited_text.hpp"
#include "regrove/generate/generator.hpp"

namespace regrove::generate {
namespace {

constexpr std::uint64_t k_rows = 4096;

const Generator& kind_of(const benchmark::State& state) {
    return generators()[static_cast<std::size_t>(state.range(0))];
}

void make_rows(benchmark::State& state) {
    set_thread_count(1);
    const Generator& kind = kind_of(state);
    state.SetLabel(kind.name);
    for (auto _ : state) benchmark::DoNotOptimize(generate_rows(kind, 1, 0, k_rows));
    state.SetItemsProcessed(static_cast<std::int64_t>(k_rows) * state.iterations());
}
BENCHMARK(make_rows)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void write_rows(benchmark::State& state) {
    set_thread_count(1);
    const Generator& kind = kind_of(state);
    state.SetLabel(kind.name);
    const auto shard = generate_rows(kind, 1, 0, k_rows);
    std::size_t bytes = 0;
    for (auto _ : state) bytes += delimited_rows(shard, ',').size();
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK(write_rows)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace regrove::generate
