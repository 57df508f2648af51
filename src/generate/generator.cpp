// The table of generators, and rows made by blocks on all threads.
#include "regrove/generate/generator.hpp"

#include <array>
#include <variant>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"

#include "kinds.hpp"

namespace regrove::generate {

namespace {

constexpr std::size_t k_block_rows = 2048;

}  // namespace

std::span<const Generator> generators() {
    static const std::array<Generator, 3> k_generators{{
        {"higgs-like", "28 numeric features of simulated collisions, two classes; many interactions", 1, 28, 28, 28,
         &higgs_like_schema, &fill_higgs_like},
        {"friedman1", "regression on five of ten uniform features (Friedman 1991)", 2, 10, 5, 100000,
         &friedman1_schema, &fill_friedman1},
        {"mixed", "numbers, integers and categories with missing values, three classes, a weight", 3, 8, 8, 8,
         &mixed_schema, &fill_mixed},
    }};
    return k_generators;
}

const Generator& find_generator(std::string_view name) {
    std::string known;
    for (const Generator& kind : generators()) {
        if (kind.name == name) return kind;
        known += (known.empty() ? "" : ", ") + kind.name;
    }
    throw ConfigError("--kind: there is no table kind '" + std::string(name) + "'; allowed: " + known);
}

data::Schema generated_schema(const Generator& kind, const GenerateOptions& options) {
    const std::uint32_t features = options.features == 0 ? kind.default_features : options.features;
    if (features < kind.least_features || features > kind.most_features) {
        const std::string least = std::to_string(kind.least_features);
        const std::string most = std::to_string(kind.most_features);
        throw ConfigError("--features: tables of kind " + kind.name + " have " +
                          (least == most ? least : least + " to " + most) + " features, not " +
                          std::to_string(features));
    }
    return kind.schema(features);
}

data::TableShard generate_rows(const Generator& kind, std::uint64_t seed, RowIndex first_row, std::uint64_t rows,
                               const GenerateOptions& options) {
    data::TableShard shard = data::make_shard(generated_schema(kind, options));
    shard.rows = rows;
    shard.first_row = first_row;
    shard.global_rows = first_row + rows;
    for (auto& values : shard.values) std::visit([&](auto& cells) { cells.resize(rows); }, values);
    const Draws draws(seed, kind.id);
    parallel_for_blocks(rows, k_block_rows,
                        [&](std::size_t begin, std::size_t end) { kind.fill(draws, shard, begin, end); });
    return shard;
}

}  // namespace regrove::generate
