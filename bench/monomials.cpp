// Converting, counting and packing the monomials of random trees over uniform rows.
//
//     monomials TREES ROWS [THREADS]
//
// Trees of depth 6 over 28 float32 features with 64 borders each: 1,000 trees have some 280,000 monomials of up to six
// conditions, 3,800 trees a million. Seconds of the wall clock, and of the processor over all threads.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/algebra/symmetric_trees.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace {

using namespace regrove;

constexpr std::uint32_t k_features = 28;
constexpr std::uint32_t k_borders = 64;
constexpr unsigned k_depth = 6;

class TreeSource {
  public:
    model::Tree make() {
        tree_ = {};
        grow(0);
        return std::move(tree_);
    }

  private:
    std::uint32_t grow(unsigned level) {
        const auto id = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes.emplace_back().value = {static_cast<float>(random_.normal(next_++))};
        if (level == k_depth) return id;
        model::Question& question = tree_.nodes[id].question;
        question.kind = model::QuestionKind::threshold;
        question.feature = FeatureId{static_cast<std::uint32_t>(random_.below(next_++, k_features))};
        question.threshold = static_cast<float>(1 + random_.below(next_++, k_borders)) / (k_borders + 1);
        tree_.nodes[id].left = NodeId{grow(level + 1)};
        const std::uint32_t right = grow(level + 1);
        tree_.nodes[id].right = NodeId{right};
        return id;
    }

    CounterRandom random_{1, 99};
    std::uint64_t next_ = 0;
    model::Tree tree_;
};

model::Ensemble make_ensemble(std::size_t trees) {
    model::EnsembleBuilder builder;
    auto features = model::numbered_features(k_features);
    for (model::Feature& feature : features) feature.precision = model::NumericPrecision::float32;
    builder.task(model::Task::regression, "y", {}).features(std::move(features));
    TreeSource source;
    for (std::size_t t = 0; t < trees; ++t) builder.add_tree(source.make());
    builder.sum(model::Link::identity, {0});
    return std::move(builder).build();
}

data::TableShard make_table(std::size_t rows) {
    const CounterRandom random(2, 99);
    data::TableShard shard;
    for (std::uint32_t f = 0; f < k_features; ++f) {
        shard.schema.columns.push_back(
            {"f" + std::to_string(f), data::ColumnType::float32, data::ColumnRole::feature, {}});
        std::vector<float> column(rows);
        for (std::size_t row = 0; row < rows; ++row)
            column[row] = static_cast<float>(random.uniform(row * k_features + f));
        shard.values.emplace_back(std::move(column));
    }
    shard.rows = shard.global_rows = rows;
    return shard;
}

/// Prints what `work` takes.
template <class Work>
auto timed(const char* what, Work work) {
    const auto wall = std::chrono::steady_clock::now();
    const std::clock_t processor = std::clock();
    auto result = work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - wall;
    std::printf("%-10s %8.2f s, %8.2f s of the processor\n", what, seconds.count(),
                static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t trees = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
    const std::size_t rows = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100000;
    set_thread_count(argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 2);
    const model::Ensemble ensemble = make_ensemble(trees);
    const data::TableShard table = make_table(rows);
    const auto polynomial = timed("convert", [&] { return algebra::to_polynomial(ensemble, {}); });
    const model::Ensemble asking = algebra::asking_ensemble(polynomial);
    const infer::Binding binding(asking, table.schema);
    const auto counts = timed("count", [&] { return algebra::count_rows(polynomial, binding, table); });
    const auto plan = timed("pack", [&] { return algebra::plan_symmetric(polynomial, {}); });
    std::uint64_t held = 0;
    for (const std::uint64_t count : counts) held += count;
    std::printf("%zu trees, %zu monomials, %zu conditions, %zu rows, %llu times held, %zu symmetric trees\n", trees,
                polynomial.size(), polynomial.conditions.size(), rows, static_cast<unsigned long long>(held),
                plan.groups.size());
    return 0;
}
