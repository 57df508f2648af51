// Block by block over rows, form by form over trees.
#include "regrove/infer/fast_scores.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

#include "product_run.hpp"
#include "rank_table.hpp"
#include "score_kernels.hpp"
#include "score_steps.hpp"
#include "walk_costs.hpp"

namespace regrove::infer {

namespace {

/// Rows a thread takes at a time.
constexpr std::size_t k_grain_rows = 8 * k_rank_rows;

/// What is done to each block, in order: a step, or a run of products.
struct Part {
    const ScoreStep* step = nullptr;
    ProductRun products;
    std::uint32_t first_score = 0;
};

/// Joins neighbouring products of the same scores to runs.
class PartWriter {
  public:
    explicit PartWriter(ProductTests& tests) : tests_(tests) {}

    void add(const ScoreStep& step) {
        if (step.form != TreeForm::product) {
            open({&step, {}, step.first_score});
            return;
        }
        if (!fits(step)) open({nullptr, {}, step.first_score});
        std::vector<double> values;
        for (const std::vector<double>& value : step.values) values.push_back(value[0]);
        parts_.back().products.add(tests_.numbers_of(step.tests), values);
    }

    std::vector<Part> take() {
        if (!parts_.empty()) parts_.back().products.close();
        return std::move(parts_);
    }

  private:
    void open(Part part) {
        if (!parts_.empty()) parts_.back().products.close();
        parts_.push_back(std::move(part));
    }

    bool fits(const ScoreStep& step) const {
        return !parts_.empty() && parts_.back().step == nullptr && parts_.back().first_score == step.first_score &&
               parts_.back().products.scores() == step.values.size() &&
               parts_.back().products.size() < k_most_products;
    }

    ProductTests& tests_;
    std::vector<Part> parts_;
};

/// The scores of one block of rows, and room for what leads to them.
class BlockScores {
  public:
    BlockScores(const std::vector<Part>& parts, const ProductTests& tests, const ScoreKernels& kernels,
                std::size_t scores)
        : parts_(parts), tests_(tests), kernels_(kernels), scores_(scores * k_rank_rows), nodes_(k_rank_rows) {}

    RankBlock& block() { return block_; }
    double* score(std::size_t k) { return scores_.data() + k * k_rank_rows; }

    void add_trees() {
        if (tests_.size() > 0) tests_.ask(kernels_, block_.ranks, answers_);
        for (const Part& part : parts_) add(part);
        add_waiting();
    }

  private:
    void add(const Part& part) {
        if (part.step != nullptr && part.step->form != TreeForm::steps) return find_bytes(*part.step);
        add_waiting();
        if (part.step == nullptr) return add_products(part);
        const ScoreStep& step = *part.step;
        kernels_.find_by_steps(block_.ranks.data(), step.nodes, nodes_.data());
        for (std::size_t k = 0; k < step.values.size(); ++k)
            kernels_.add_nodes(nodes_.data(), step.values[k].data(), score(step.first_score + k));
    }

    void add_products(const Part& part) {
        part.products.add_to(kernels_, answers_, score(part.first_score), product_room_);
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

    static constexpr std::size_t k_most_waiting = 4;
    const std::vector<Part>& parts_;
    const ProductTests& tests_;
    const ScoreKernels& kernels_;
    RankBlock block_;
    std::vector<double> scores_;        ///< score by score
    std::vector<std::uint32_t> nodes_;  ///< of a tree that is walked
    std::uint8_t leaves_[k_most_waiting][k_rank_rows] = {};
    const ScoreStep* wait_[k_most_waiting] = {};
    std::size_t waiting_ = 0;
    std::vector<RowBits> answers_;  ///< to the tests of monomials
    ProductRoom product_room_;
};

/// Rooms that no thread works in now: they are large, and clearing new ones would take longer than small models do.
class IdleRooms {
  public:
    std::unique_ptr<BlockScores> take() {
        const std::lock_guard guard(mutex_);
        if (rooms_.empty()) return nullptr;
        auto room = std::move(rooms_.back());
        rooms_.pop_back();
        return room;
    }
    void give_back(std::unique_ptr<BlockScores> room) {
        const std::lock_guard guard(mutex_);
        rooms_.push_back(std::move(room));
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<BlockScores>> rooms_;
};

}  // namespace

class FastScores::Plan {
  public:
    Plan(const model::Ensemble& ensemble, const Binding& binding, const ScoreForms& forms)
        : ensemble_(&ensemble),
          binding_(&binding),
          kernels_(score_kernels(forms.widest)),
          ranks_(ensemble, kernels_),
          steps_(score_steps(ensemble, ranks_, forms)) {
        PartWriter writer(tests_);
        for (const ScoreStep& step : steps_) writer.add(step);
        parts_ = writer.take();
    }

    std::unique_ptr<BlockScores> room() const {
        return std::make_unique<BlockScores>(parts_, tests_, kernels_, ensemble_->scores());
    }

    void fill(const data::TableShard& shard, std::span<const double> initial, std::size_t begin, std::size_t end,
              BlockScores& block, double* out) const {
        const std::size_t scores = ensemble_->scores();
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
    ProductTests tests_;
    std::vector<Part> parts_;  ///< refer to steps_
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
    IdleRooms idle;
    parallel_for_blocks(shard.rows, k_grain_rows, [&](std::size_t begin, std::size_t end) {
        std::unique_ptr<BlockScores> room = idle.take();
        if (room == nullptr) room = plan_->room();
        plan_->fill(shard, initial, begin, end, *room, raw.data());
        idle.give_back(std::move(room));
    });
    return raw;
}

}  // namespace regrove::infer
