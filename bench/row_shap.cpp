// Rows a second of per-row attributions, for row_shap.py: reads a model and cells, writes attributions and the time.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "regrove/algebra/pair_shap.hpp"
#include "regrove/algebra/path_shap.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/formats/registry.hpp"

namespace {

using namespace regrove;

std::vector<double> read_doubles(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::vector<double> numbers(static_cast<std::size_t>(file.tellg()) / sizeof(double));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(double)));
    return numbers;
}

std::unique_ptr<algebra::ShapValues> make_shap(const model::Ensemble& model, std::span<const double> cells,
                                               std::size_t background_rows) {
    if (background_rows == 0) return std::make_unique<algebra::PathShap>(model, algebra::training_covers(model));
    return std::make_unique<algebra::PairShap>(model, cells.first(background_rows * model.features.size()));
}

}  // namespace

/// MODEL CELLS PHI THREADS BACKGROUND_ROWS: cells and phi are raw doubles, row by row; phi of the features asked for.
/// No background rows: path-dependent; else interventional against the first rows. Prints the seconds of set-up and
/// of the work.
int main(int argc, char** argv) {
    if (argc != 6) return 64;
    const model::Ensemble model = formats::parse_model(formats::read_model_text(argv[1]), argv[1]);
    const std::vector<double> cells = read_doubles(argv[2]);
    set_thread_count(static_cast<unsigned>(std::stoul(argv[4])));
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto shap = make_shap(model, cells, std::stoul(argv[5]));
    const auto ready = Clock::now();
    const std::size_t width = model.features.size();
    const std::size_t own = shap->features().size() * shap->scores().count();
    const std::size_t rows = cells.size() / width;
    std::vector<double> phi(rows * own);
    parallel_for_blocks(rows, 256, [&](std::size_t from, std::size_t to) {
        shap->explain(std::span(cells).subspan(from * width, (to - from) * width), from,
                      std::span(phi).subspan(from * own, (to - from) * own));
    });
    const auto done = Clock::now();
    std::ofstream(argv[3], std::ios::binary)
        .write(reinterpret_cast<const char*>(phi.data()), static_cast<std::streamsize>(phi.size() * sizeof(double)));
    const auto seconds = [](auto span) { return std::chrono::duration<double>(span).count(); };
    std::printf("%.6f %.6f\n", seconds(ready - begin), seconds(done - ready));
    return 0;
}
