// How long one number takes from text, to text and from its counter.
#include "regrove/core/number_text.hpp"

#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "regrove/core/random.hpp"

namespace regrove {
namespace {

constexpr std::size_t k_count = 4096;

std::vector<float> sample_numbers() {
    std::vector<float> numbers(k_count);
    for (std::size_t i = 0; i < k_count; ++i) numbers[i] = static_cast<float>(CounterRandom(1, 1).normal(i));
    return numbers;
}

void to_text_float(benchmark::State& state) {
    const auto numbers = sample_numbers();
    std::size_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(to_text(numbers[i++ % k_count]));
}
BENCHMARK(to_text_float);

template <class Parse>
void parse(benchmark::State& state, Parse parse_one) {
    std::vector<std::string> texts;
    for (const float number : sample_numbers()) texts.push_back(to_text(number));
    std::size_t i = 0;
    std::size_t bytes = 0;
    for (auto _ : state) {
        const std::string& text = texts[i++ % k_count];
        benchmark::DoNotOptimize(parse_one(text));
        bytes += text.size();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}
BENCHMARK_CAPTURE(parse, float, parse_float);
BENCHMARK_CAPTURE(parse, double, parse_double);

void random_bits(benchmark::State& state) {
    const CounterRandom random(1, 2);
    std::uint64_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(random.bits(i++));
}
BENCHMARK(random_bits);

void random_normal(benchmark::State& state) {
    const CounterRandom random(1, 2);
    std::uint64_t i = 0;
    for (auto _ : state) benchmark::DoNotOptimize(random.normal(i++));
}
BENCHMARK(random_normal);

}  // namespace
}  // namespace regrove
