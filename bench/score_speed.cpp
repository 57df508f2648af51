// How long models take to give raw scores, by each kind of walker, in one process and in turns.
//
//   score_speed [--rows N] [--floats FILE] [--threads N] [--rounds N] [--only WALKER] MODEL...
//
// Rows are drawn, or read from FILE: float32, row by row, as many columns as the models have features.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "regrove/core/memory.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/fast_scores.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/predicted_cost.hpp"
#include "regrove/infer/predictor.hpp"

namespace {

using namespace regrove;

struct Options {
    std::size_t rows = 100'000;
    unsigned threads = 1;
    int rounds = 5;
    std::string floats;
    std::string only;
    std::vector<std::string> models;
};

Options read_options(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const bool has_number = i + 1 < count;
        if (word == "--rows" && has_number)
            options.rows = std::stoul(words[++i]);
        else if (word == "--floats" && has_number)
            options.floats = words[++i];
        else if (word == "--only" && has_number)
            options.only = words[++i];
        else if (word == "--threads" && has_number)
            options.threads = static_cast<unsigned>(std::stoul(words[++i]));
        else if (word == "--rounds" && has_number)
            options.rounds = std::stoi(words[++i]);
        else
            options.models.push_back(word);
    }
    return options;
}

/// Normal numbers rounded to float; categories at random.
data::TableShard drawn_rows(const model::Ensemble& ensemble, std::size_t rows) {
    data::TableShard shard;
    shard.schema = infer::expected_schema(ensemble);
    shard.rows = shard.global_rows = rows;
    for (std::size_t c = 0; c < shard.schema.columns.size(); ++c) {
        const CounterRandom random(1, 1000 + c);
        const data::ColumnSchema& column = shard.schema.columns[c];
        shard.values.push_back(data::make_values(column.type));
        std::visit(
            [&](auto& values) {
                using Cell = typename std::decay_t<decltype(values)>::value_type;
                values.resize(rows);
                const std::size_t codes = std::max<std::size_t>(column.categories.size(), 1);
                if constexpr (!std::is_same_v<Cell, std::string>)
                    for (std::size_t r = 0; r < rows; ++r)
                        values[r] = column.type == data::ColumnType::category
                                        ? static_cast<Cell>(random.below(r, codes))
                                        : static_cast<Cell>(static_cast<float>(random.normal(r)));
            },
            shard.values.back());
    }
    return shard;
}

/// Takes the first rows of a file of float32.
data::TableShard read_rows(const model::Ensemble& ensemble, const Options& options) {
    const std::size_t width = ensemble.features.size();
    std::vector<float> cells(options.rows * width);
    std::ifstream file(options.floats, std::ios::binary);
    file.read(reinterpret_cast<char*>(cells.data()), static_cast<std::streamsize>(cells.size() * sizeof(float)));
    data::TableShard shard;
    shard.rows = shard.global_rows = static_cast<std::size_t>(file.gcount()) / sizeof(float) / width;
    for (std::size_t f = 0; f < width; ++f) {
        std::vector<float> column(shard.rows);
        for (std::size_t r = 0; r < shard.rows; ++r) column[r] = cells[r * width + f];
        shard.schema.columns.push_back(
            {ensemble.features[f].name, data::ColumnType::float32, data::ColumnRole::feature, {}});
        shard.values.emplace_back(std::move(column));
    }
    return shard;
}

struct Seconds {
    double processor = 0;  ///< of all threads: other work on the machine counts less than on the clock
    double elapsed = 0;
};

Seconds seconds_of(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t clock = std::clock();
    work();
    return {static_cast<double>(std::clock() - clock) / CLOCKS_PER_SEC,
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

double median_ns(const std::vector<Seconds>& seconds, double Seconds::*kind, std::size_t rows) {
    std::vector<double> sorted;
    for (const Seconds& some : seconds) sorted.push_back(some.*kind);
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2] / static_cast<double>(rows) * 1e9;
}

struct Walker {
    std::string name;
    std::function<std::vector<double>()> scores;
    std::vector<Seconds> seconds;
    std::vector<double> found;
};

void measure(const std::string& path, const Options& options) {
    const model::Ensemble ensemble = formats::read_model(path);
    const data::TableShard shard =
        options.floats.empty() ? drawn_rows(ensemble, options.rows) : read_rows(ensemble, options);
    const infer::Predictor predictor(ensemble, shard.schema);
    const infer::Binding binding(ensemble, shard.schema);
    const auto forms = [&](const std::string& name, const infer::ScoreForms& allowed) {
        return Walker{
            name, [&, allowed] { return infer::FastScores(ensemble, binding, allowed).scores(shard); }, {}, {}};
    };
    std::vector<Walker> walkers;
    walkers.push_back({"row by row", [&] { return predictor.raw(predictor.leaves(shard)); }, {}, {}});
    walkers.push_back(forms("steps, blocks of rows", {.levels = false, .planes = false, .products = false}));
    walkers.push_back(forms("plain processor", {.widest = infer::ProcessorKernels::plain}));
    walkers.push_back(forms("AVX2", {.widest = infer::ProcessorKernels::avx2}));
    walkers.push_back(forms("best", {}));
    if (!options.only.empty())
        std::erase_if(walkers, [&](const Walker& walker) { return walker.name != options.only; });
    for (int round = 0; round < options.rounds; ++round)
        for (Walker& walker : walkers) walker.seconds.push_back(seconds_of([&] { walker.found = walker.scores(); }));
    std::printf("%s: %zu trees, %zu rows, %u threads\n", path.c_str(), ensemble.trees.size(), shard.rows,
                options.threads);
    std::printf("  %-22s %10.1f ns a row\n", "best, predicted", infer::predicted_row_ns(ensemble));
    for (const Walker& walker : walkers)
        std::printf("  %-22s %10.1f ns of processor time a row, %10.1f elapsed%s\n", walker.name.c_str(),
                    median_ns(walker.seconds, &Seconds::processor, shard.rows),
                    median_ns(walker.seconds, &Seconds::elapsed, shard.rows),
                    walker.found == walkers[0].found ? "" : "  OTHER SCORES");
}

}  // namespace

int main(int count, char** words) {
    const Options options = read_options(count, words);
    keep_freed_memory();  // as the program does
    set_thread_count(options.threads);
    for (const std::string& path : options.models) measure(path, options);
    return 0;
}
