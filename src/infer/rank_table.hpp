// A model's questions as comparisons of bytes: each cell becomes its rank among the borders that the model asks about.
//
// A column is a byte a row. A feature with up to 255 borders is one column, with more it is cut into several; one whose
// missing values go right at some questions and left at others has a column for each. A category question, or one with
// surrogates, has a column of its own that says only right or not.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/model/ensemble.hpp"

#include "rank_bytes.hpp"

namespace regrove::infer {

struct ScoreKernels;

/// Room for a block's ranks and what they are made of; one a thread.
struct RankBlock {
    std::vector<std::int8_t> ranks;   ///< column by column, k_rank_rows each
    std::vector<double> cells;        ///< of features that need them, k_rank_rows each
    std::vector<float> floats;        ///< of one feature
    std::vector<std::uint32_t> wide;  ///< ranks of one feature before they are cut into bytes
    std::vector<double> row;          ///< of one row, for surrogates
};

/// Questions that a rank table decides by themselves for every row, whether or not a walk gets there: by category, or with
/// surrogates.
struct WholeQuestions {
    std::size_t count = 0;    ///< that route rows differently
    std::uint64_t bytes = 0;  ///< that tables of them take, at least
};
WholeQuestions whole_questions(const model::Ensemble& ensemble);

class RankTable {
  public:
    /// Refers to both, which must outlive it.
    RankTable(const model::Ensemble& ensemble, const ScoreKernels& kernels);

    std::size_t columns() const { return columns_; }
    /// Of an inner node's question of the ensemble.
    RankTest test(const model::Question& question) const;
    /// What cells and ranks are predicted to cost, in nanoseconds a row.
    double read_ns() const;
    double rank_ns() const;
    /// The ranks of rows [begin, end) of a shard of the binding's schema, at most k_rank_rows; those of the block's other
    /// rows are anything.
    void fill(const Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end,
              RankBlock& block) const;

  private:
    /// Borders rise; floats when the feature has that precision.
    struct Borders {
        bool narrow = false;
        std::vector<double> values;
        std::vector<float> floats;
        /// By missing side, then part: the column, or k_no_column.
        std::vector<std::uint32_t> column_of_part[2];
        std::size_t size() const { return narrow ? floats.size() : values.size(); }
    };
    /// A question that is decided by itself. `goes_right[code + 2]`, [0] for unknown codes, [1] for missing values.
    struct Whole {
        const model::Question* question = nullptr;
        std::uint32_t column = 0;
        std::vector<std::int8_t> goes_right;
    };

    void collect_borders(const model::Ensemble& ensemble);
    void add_question(const model::Question& question);
    std::size_t border_place(const Borders& borders, double threshold) const;
    /// From block.wide to the columns; `cells` tell what is missing.
    template <class Cell>
    void cut_ranks(const Borders& borders, std::span<const Cell> cells, RankBlock& block) const;
    void fill_whole(const Whole& whole, std::size_t rows, RankBlock& block) const;
    void answer_missing_rows(const Whole& whole, std::size_t rows, RankBlock& block) const;

    const ScoreKernels& kernels_;
    std::vector<Borders> borders_;  ///< by feature
    std::vector<std::uint32_t> categories_;
    std::vector<Whole> wholes_;
    std::map<std::string, std::size_t> whole_of_key_;
    std::vector<const model::Question*> last_ranked_;  ///< by feature, while questions are added
    std::vector<bool> read_;                           ///< by feature: whether some question asks for it
    std::vector<bool> has_cells_;                      ///< by feature: whether its cells are needed as doubles
    std::vector<std::size_t> first_cell_;              ///< by feature that has cells: where they stand in a block
    std::size_t cells_ = 0;
    std::uint32_t columns_ = 0;
};

}  // namespace regrove::infer
