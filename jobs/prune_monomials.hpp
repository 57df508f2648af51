// Pruning a whole model by its monomials: what is asked for, and doing it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/reweighting.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::jobs {

enum class MonomialChoice : std::uint8_t { automatic, alpha, elbow, valid };

struct MonomialOptions {
    std::string eta;  ///< the threshold by hand
    MonomialChoice choose = MonomialChoice::automatic;
    std::string metric;
    double tolerance = 0;
    bool both_sides = false;
    std::uint32_t levels = 100;
    std::string dropped;       ///< file
    std::string flips;         ///< file
    std::string flipped_rows;  ///< file
    std::vector<std::string> cut_offs;
    std::string segment;
    algebra::PolynomialOptions polynomial;
    algebra::ReweightOptions reweight;
};
void list_options(MonomialOptions& options, OptionTable& table);

/// Whether any of them was given.
bool is_given(const MonomialOptions& options);

struct MonomialFiles {
    pipeline::OutputFile* model = nullptr;  ///< on the root, or null
    pipeline::OutputFile* curve = nullptr;
    pipeline::OutputFile* picture = nullptr;
    pipeline::OutputFile* dropped = nullptr;
    pipeline::OutputFile* flips = nullptr;
    pipeline::OutputFile* flipped_rows = nullptr;
    std::string picture_path;
};

struct MonomialTables {
    data::TableShard training;
    std::optional<data::TableShard> valid;
};

/// Decides what to do by what was given; throws UsageError and ConfigError.
void check(MonomialOptions& options, bool has_data, bool has_valid, bool has_output);

/// Counts, chooses a threshold, drops, and writes. Collective.
void prune_monomials(pipeline::JobContext& context, const model::Ensemble& model, const MonomialTables& tables,
                     const MonomialOptions& options, const MonomialFiles& files);

}  // namespace regrove::jobs
