// Costs of the forms that the trees take.
#include "regrove/infer/predicted_cost.hpp"

#include <vector>

#include "product_run.hpp"
#include "rank_table.hpp"
#include "score_kernels.hpp"
#include "score_steps.hpp"
#include "walk_costs.hpp"

namespace regrove::infer {

namespace {

/// The share of 64-row groups with a row for which `tests` tests hold, if each held for every second row by itself.
double share_of_groups_held(std::size_t tests) {
    double none = 1;
    double holds = 1;
    for (std::size_t i = 0; i < tests; ++i) holds /= 2;
    for (int row = 0; row < 64; ++row) none *= 1 - holds;
    return 1 - none;
}

class StepCosts {
  public:
    double add(const ScoreStep& step) {
        const auto scores = static_cast<double>(step.values.size());
        const auto leaves = static_cast<double>(step.values[0].size());
        const double adding = scores * (k_add_leaf_ns + leaves * k_leaf_in_table_ns);
        switch (step.form) {
            case TreeForm::levels:
                return adding + static_cast<double>(step.tests.size()) * k_level_ns;
            case TreeForm::planes:
                return adding + static_cast<double>(step.planes.planes()) * k_plane_ns +
                       static_cast<double>(step.planes.cuts.size()) * k_cut_ns;
            case TreeForm::steps:
                return adding + static_cast<double>(step.deepest) * k_step_ns;
            case TreeForm::product:
                return product(step, scores);
        }
        return 0;
    }

  private:
    double product(const ScoreStep& step, double scores) {
        if (run_.size() == k_most_products) run_ = {};
        const std::size_t tests = tests_.size();
        const std::size_t nodes = run_.nodes();
        run_.add(tests_.numbers_of(step.tests), {});
        return static_cast<double>(tests_.size() - tests) * k_ask_test_ns +
               static_cast<double>(run_.nodes() - nodes) * k_hold_node_ns +
               scores * (k_list_product_ns + share_of_groups_held(step.tests.size()) * k_add_product_ns);
    }

    ProductTests tests_;
    ProductRun run_;  ///< as the walker joins them, but that other trees between them are overlooked
};

}  // namespace

double predicted_row_ns(const model::Ensemble& ensemble) {
    const RankTable ranks(ensemble, score_kernels(ProcessorKernels::plain));
    if (ensemble.combination != model::Combination::sum) {
        double questions = 0;
        for (const model::Tree& tree : ensemble.trees) questions += 1 + tree.depth();
        return ranks.read_ns() + questions * k_question_ns;
    }
    double total = ranks.read_ns() + ranks.rank_ns();
    StepCosts costs;
    for (const ScoreStep& step : score_steps(ensemble, ranks, {})) total += costs.add(step);
    return total;
}

}  // namespace regrove::infer
