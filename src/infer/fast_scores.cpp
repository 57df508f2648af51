// Block by block over rows, form by form over trees.
#include "regrove/infer/fast_scores.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

#include "rank_table.hpp"
#include "score_kernels.hpp"
#include "score_steps.hpp"
#include "walk_costs.hpp"

namespace regrove::infer {

namespace {

/// Rows a thread takes at a time.
constexpr std::size_t k_grain_rows = 8 * k_rank_rows;

/// The scores of one block of rows, and room for what leads to them.
class BlockScores {
  public:
    BlockScores(const std::vector<ScoreStep>& steps, const ScoreKernels& kernels, std::size_t scores)
        : steps_(steps), kernels_(kernels), scores_(scores * k_rank_rows), nodes_(k_rank_rows) {
        std::size_t longest = 0;
        for (const ScoreStep& step : steps)
            if (step.form == TreeForm::product) longest = std::max(longest, step.tests.size());
        held_.resize(longest * k_rank_rows);
    }

    RankBlock& block() { return block_; }
    double* score(std::size_t k) { return scores_.data() + k * k_rank_rows; }

    void add_trees() {
        previous_ = nullptr;
        held_levels_ = 0;
        for (const ScoreStep& step : steps_) add(step);
        add_waiting();
    }

  private:
    void add(const ScoreStep& step) {
        if (step.form == TreeForm::product || step.form == TreeForm::steps) add_waiting();
        switch (step.form) {
            case TreeForm::product:
                add_product(step);
                break;
            case TreeForm::steps:
                kernels_.find_by_steps(block_.ranks.data(), step.nodes, nodes_.data());
                for (std::size_t k = 0; k < step.values.size(); ++k)
                    kernels_.add_nodes(nodes_.data(), step.values[k].data(), score(step.first_score + k));
                break;
            case TreeForm::levels:
            case TreeForm::planes:
                find_bytes(step);
                break;
        }
    }

    /// Finds the leaves; up to four trees of the same scores wait to be added together.
    void find_bytes(const ScoreStep& step) {
        if (waiting_ > 0 && wait_[0]->first_score != step.first_score) add_waiting();
        std::uint8_t* const leaf = leaves_[waiting_];
        if (step.form == TreeForm::levels)
            kernels_.find_by_levels(block_.ranks.data(), step.tests, leaf);
        else
            kernels_.find_by_planes(block_.ranks.data(), step.planes, leaf);
        wait_[waiting_++] = &step;
        if (waiting_ == k_most_waiting) add_waiting();
    }

    void add_waiting() {
        for (std::size_t k = 0; waiting_ > 0 && k < wait_[0]->values.size(); ++k) {
            double* const into = score(wait_[0]->first_score + k);
            if (waiting_ == k_most_waiting) {
                FourTrees four;
                for (std::size_t i = 0; i < k_most_waiting; ++i) {
                    four.leaf[i] = leaves_[i];
                    four.value[i] = wait_[i]->values[k].data();
                }
                kernels_.add_four(four, into);
            } else {
                for (std::size_t i = 0; i < waiting_; ++i)
                    kernels_.add_one(leaves_[i], wait_[i]->values[k].data(), into);
            }
        }
        waiting_ = 0;
    }

    /// What the tests have in common with the last product's first ones is still there; `held_levels_` of them hold for
    /// some row.
    void add_product(const ScoreStep& step) {
        std::size_t same = 0;
        if (previous_ != nullptr)
            while (same < std::min(step.tests.size(), previous_->tests.size()) &&
                   step.tests[same] == previous_->tests[same])
                ++same;
        previous_ = &step;
        if (same > held_levels_) return;  // the test after those that hold is the same, and holds for none
        held_levels_ = same;
        while (held_levels_ < step.tests.size()) {
            const RankTest& test = step.tests[held_levels_];
            const std::int8_t* const before = held_levels_ == 0 ? nullptr : held(held_levels_ - 1);
            const std::int8_t* const ranks = block_.ranks.data() + test.column * k_rank_rows;
            if (!kernels_.hold(before, ranks, test.limit, held(held_levels_))) return;
            ++held_levels_;
        }
        for (std::size_t k = 0; k < step.values.size(); ++k)
            if (step.values[k][0] != 0)
                kernels_.add_held(held(held_levels_ - 1), step.values[k][0], score(step.first_score + k));
    }

    std::int8_t* held(std::size_t level) { return held_.data() + level * k_rank_rows; }

    static constexpr std::size_t k_most_waiting = 4;
    const std::vector<ScoreStep>& steps_;
    const ScoreKernels& kernels_;
    RankBlock block_;
    std::vector<double> scores_;        ///< score by score
    std::vector<std::uint32_t> nodes_;  ///< of a tree that is walked
    std::uint8_t leaves_[k_most_waiting][k_rank_rows] = {};
    const ScoreStep* wait_[k_most_waiting] = {};
    std::size_t waiting_ = 0;
    std::vector<std::int8_t> held_;  ///< level by level of the last product
    const ScoreStep* previous_ = nullptr;
    std::size_t held_levels_ = 0;
};

}  // namespace

class FastScores::Plan {
  public:
    Plan(const model::Ensemble& ensemble, const Binding& binding, const ScoreForms& forms)
        : ensemble_(&ensemble),
          binding_(&binding),
          kernels_(forms.avx2 ? score_kernels() : plain_score_kernels()),
          ranks_(ensemble, kernels_),
          steps_(score_steps(ensemble, ranks_, forms)) {}

    void fill(const data::TableShard& shard, std::span<const double> initial, std::size_t begin, std::size_t end,
              double* out) const {
        const std::size_t scores = ensemble_->scores();
        BlockScores block(steps_, kernels_, scores);
        for (; begin < end; begin += k_rank_rows) {
            const std::size_t rows = std::min(k_rank_rows, end - begin);
            ranks_.fill(*binding_, shard, begin, begin + rows, block.block());
            for (std::size_t k = 0; k < scores; ++k)
                std::fill_n(block.score(k), k_rank_rows, ensemble_->initial_scores[k]);
            for (std::size_t row = 0; row < rows && !initial.empty(); ++row)
                block.score(0)[row] += initial[begin + row];
            block.add_trees();
            for (std::size_t k = 0; k < scores; ++k)
                for (std::size_t row = 0; row < rows; ++row) out[(begin + row) * scores + k] = block.score(k)[row];
        }
    }

    std::size_t scores() const { return ensemble_->scores(); }

  private:
    const model::Ensemble* ensemble_;
    const Binding* binding_;
    const ScoreKernels& kernels_;
    RankTable ranks_;
    std::vector<ScoreStep> steps_;
};

FastScores::FastScores(const model::Ensemble& ensemble, const Binding& binding, const ScoreForms& forms) {
    REGROVE_CHECK(ensemble.combination == model::Combination::sum);
    plan_ = std::make_unique<const Plan>(ensemble, binding, forms);
}

bool FastScores::pays(const model::Ensemble& ensemble) {
    constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 30U;
    const WholeQuestions whole = whole_questions(ensemble);
    double steps = 0;
    for (const model::Tree& tree : ensemble.trees) steps += tree.depth();
    return whole.bytes <= k_most_bytes &&
           static_cast<double>(whole.count) * k_whole_question_ns <= 1000 + steps * k_question_ns;
}

FastScores::~FastScores() = default;
FastScores::FastScores(FastScores&&) noexcept = default;

std::vector<double> FastScores::scores(const data::TableShard& shard, std::span<const double> initial) const {
    REGROVE_CHECK(initial.empty() || (initial.size() == shard.rows && plan_->scores() == 1));
    std::vector<double> raw(shard.rows * plan_->scores());
    parallel_for_blocks(shard.rows, k_grain_rows, [&](std::size_t begin, std::size_t end) {
        plan_->fill(shard, initial, begin, end, raw.data());
    });
    return raw;
}

}  // namespace regrove::infer
