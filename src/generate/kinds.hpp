// The kinds of tables, one function each for schema and cells; generator.cpp puts them into the table of generators.
#pragma once

#include "regrove/generate/generator.hpp"

namespace regrove::generate {

data::Schema higgs_like_schema(std::uint32_t features);
void fill_higgs_like(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end);

data::Schema friedman1_schema(std::uint32_t features);
void fill_friedman1(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end);

data::Schema mixed_schema(std::uint32_t features);
void fill_mixed(const Draws& draws, data::TableShard& shard, std::size_t begin, std::size_t end);

}  // namespace regrove::generate
