// Raw scores of a summing model for many rows at once: bit for bit what walking each row gives, in a fraction of the time.
//
// Cells become ranks (rank_table.hpp), 512 rows at a time. Then every tree finds the leaves of all of them without a
// branch, in the form that suits it: symmetric trees by one comparison a level, trees of some dozen leaves by taking away
// the leaves that questions exclude, monomials by AND of bits, 64 rows a word, larger trees step by step. Scores are added in tree order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

/// Loops compiled for a kind of processor.
enum class ProcessorKernels : std::uint8_t { plain, avx2, avx512 };

/// What may be used; for tests and for measuring what each brings.
struct ScoreForms {
    bool levels = true;                                  ///< symmetric trees by one comparison a level
    bool planes = true;                                  ///< sets of leaves
    bool products = true;                                ///< monomials
    ProcessorKernels widest = ProcessorKernels::avx512;  ///< of those that the processor runs
};

class FastScores {
  public:
    /// Of a model with Combination::sum. Refers to both, which must outlive it. Time: a few times that of reading the model.
    FastScores(const model::Ensemble& ensemble, const Binding& binding, const ScoreForms& forms = {});
    ~FastScores();
    /// Whether this is predicted to be faster than walking row by row, and its tables to fit: not where trees ask about categories in
    /// very many different ways, since each of these is answered for every row.
    static bool pays(const model::Ensemble& ensemble);
    FastScores(FastScores&&) noexcept;
    FastScores& operator=(FastScores&&) = delete;

    /// Initial scores plus leaf values in tree order: rows x Ensemble::scores(). The shard must be of the bound schema. `initial`: what
    /// a model with one score begins with in each row, beside its own initial score; empty: nothing.
    std::vector<double> scores(const data::TableShard& shard, std::span<const double> initial = {}) const;

  private:
    class Plan;
    std::unique_ptr<const Plan> plan_;
};

}  // namespace regrove::infer
