// Born-again trees of one data set's ten forests against the authors' optima, brute force over all cells, and the paper.
#pragma once

#include <cmath>
#include <cstdio>
#include <numeric>

#include "regrove/bornagain/post_prune.hpp"
#include "regrove/bornagain/reborn.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/leaf_rows.hpp"
#include "regrove/metric/registry.hpp"

#include "born_again_folds.hpp"

namespace regrove::test {

inline double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// One fold's forest, its space, and the forest's class at every cell.
class ForestCells {
  public:
    explicit ForestCells(const model::Ensemble& forest)
        : space(
              cellspace::make_space(std::vector<const model::Ensemble*>{&forest}, cellspace::UnseenValues::outside)),
          compiled(forest, space) {
        visit([&](std::span<const std::uint32_t> cell) { classes_.push_back(compiled.class_at(cell)); });
    }

    cellspace::Space space;
    cellspace::CompiledEnsemble compiled;

    std::uint64_t cells_with_another_class(const bornagain::CellTree& tree) const {
        std::uint64_t count = 0;
        std::size_t at = 0;
        visit([&](std::span<const std::uint32_t> cell) { count += tree.class_at(cell) != classes_[at++] ? 1 : 0; });
        return count;
    }

  private:
    template <class Visit>
    void visit(Visit visit) const {
        std::vector<std::uint32_t> cell(space.axes.size(), 0);
        while (true) {
            visit(std::span<const std::uint32_t>(cell));
            std::size_t a = 0;
            while (a < cell.size() && ++cell[a] == space.axes[a].cells()) cell[a++] = 0;
            if (a == cell.size()) return;
        }
    }

    std::vector<std::uint32_t> classes_;
};

struct Scores {
    double accuracy = 0;
    double f1 = 0;
};

inline Scores scores_of(const model::Ensemble& model, const data::TableShard& rows) {
    const auto alone = comm::make_self_communicator();
    const infer::Predictor predictor(model, rows.schema);
    const dist::Answers answers = dist::answer_rows(model, predictor, rows);
    const auto number = [&](const char* name) {
        return dist::metric_number(*alone, metric::find_metric(name, metric::Task::classification), answers.view());
    };
    return {number("accuracy"), number("macro_f1")};
}

inline const char* letters(bornagain::Objective objective) {
    switch (objective) {
        case bornagain::Objective::depth:
            return "D";
        case bornagain::Objective::leaves:
            return "L";
        case bornagain::Objective::depth_leaves:
            return "DL";
        case bornagain::Objective::heuristic:
            return "heuristic";
    }
    return "";
}

/// The figures of one objective over the folds.
struct ObjectiveFigures {
    std::vector<double> depth;
    std::vector<double> leaves;
    std::vector<double> pruned_depth;
    std::vector<double> pruned_leaves;
    std::vector<double> pruned_accuracy;
    std::vector<double> pruned_f1;
};

class BornAgainCheck {
  public:
    explicit BornAgainCheck(const BornAgainSet& set) : set_(set), rows_(set) {}

    void run() {
        for (int fold = 1; fold <= k_folds; ++fold) check_fold(fold);
        print();
        check_means();
    }

  private:
    using Objective = bornagain::Objective;

    void check_fold(int fold) {
        SCOPED_TRACE(set_.name + " fold " + std::to_string(fold));
        const model::Ensemble forest = born_again_forest(set_.name, fold);
        const ForestCells cells(forest);
        const FoldRows rows = rows_.fold(fold);
        const Scores of_forest = scores_of(forest, rows.test);
        accuracy_.push_back(of_forest.accuracy);
        f1_.push_back(of_forest.f1);
        for (const Objective objective : {Objective::depth, Objective::leaves, Objective::depth_leaves}) {
            bornagain::RebornOptions options;
            options.objective = objective;
            const auto result = bornagain::reborn(cells.compiled, cells.space, options, {});
            EXPECT_EQ(result.ended, bornagain::Ended::optimal);
            EXPECT_EQ(result.value, result.lower_bound);
            EXPECT_EQ(cells.cells_with_another_class(result.tree), 0U) << letters(objective);
            compare(fold, objective, result.tree);
            const model::Ensemble tree = bornagain::to_model(result.tree, cells.space, forest);
            const Scores of_tree = scores_of(tree, rows.test);
            EXPECT_EQ(of_tree.accuracy, of_forest.accuracy);
            EXPECT_EQ(of_tree.f1, of_forest.f1);
            note(objective, tree, rows);
        }
    }

    void compare(int fold, Objective objective, const bornagain::CellTree& tree) const {
        const Reference* const known = references_.find(set_.name, fold, letters(objective));
        if (known != nullptr && objective != Objective::leaves) {
            EXPECT_EQ(tree.depth(), known->depth);
        }
        if (known != nullptr && objective == Objective::leaves) {
            EXPECT_EQ(tree.leaves(), known->leaves);
        }
        if (objective != Objective::depth_leaves) return;
        if (known != nullptr) {
            EXPECT_LE(tree.leaves(), known->leaves);
        }
        const Reference* const least = references_.find(set_.name, fold, "DL minimum");
        if (least == nullptr) return;
        EXPECT_EQ(tree.depth(), least->depth);
        EXPECT_EQ(tree.leaves(), least->leaves);
    }

    void note(Objective objective, const model::Ensemble& tree, const FoldRows& rows) {
        const auto alone = comm::make_self_communicator();
        const model::Ensemble pruned = bornagain::post_prune(tree, dist::leaf_rows(*alone, tree, rows.training));
        const Scores scores = scores_of(pruned, rows.test);
        ObjectiveFigures& figures = figures_[letters(objective)];
        figures.depth.push_back(tree.trees[0].depth());
        figures.leaves.push_back(tree.trees[0].leaf_count());
        figures.pruned_depth.push_back(pruned.trees[0].depth());
        figures.pruned_leaves.push_back(pruned.trees[0].leaf_count());
        figures.pruned_accuracy.push_back(scores.accuracy);
        figures.pruned_f1.push_back(scores.f1);
    }

    void print() const {
        std::printf("%s: forest accuracy %.4f, F1 %.4f (paper %.3f, %.3f)\n", set_.name.c_str(), mean_of(accuracy_),
                    mean_of(f1_), set_.accuracy, set_.f1);
        std::printf("  the paper under D: %.1f leaves; post-pruned depth %.1f, leaves %.1f\n", set_.leaves_under_d,
                    set_.pruned_depth, set_.pruned_leaves);
        for (const auto& [name, f] : figures_)
            std::printf(
                "  %-2s depth %.1f, leaves %.1f; post-pruned depth %.1f, leaves %.1f, accuracy %.4f, F1 %.4f\n",
                name.c_str(), mean_of(f.depth), mean_of(f.leaves), mean_of(f.pruned_depth), mean_of(f.pruned_leaves),
                mean_of(f.pruned_accuracy), mean_of(f.pruned_f1));
    }

    /// The paper's tables have one digit of sizes and three of scores.
    void check_means() const {
        EXPECT_NEAR(mean_of(figures_.at("D").depth), set_.depth, 0.0501);
        EXPECT_NEAR(mean_of(figures_.at("DL").depth), set_.depth, 0.0501);
        EXPECT_NEAR(mean_of(figures_.at("L").leaves), set_.leaves, 0.0501);
        EXPECT_NEAR(mean_of(accuracy_), set_.accuracy, 0.000501);
        EXPECT_NEAR(mean_of(f1_), set_.f1, 0.000501);
        EXPECT_LE(mean_of(figures_.at("L").leaves), mean_of(figures_.at("DL").leaves));
    }

    BornAgainSet set_;
    FoldedRows rows_;
    References references_;
    std::vector<double> accuracy_;
    std::vector<double> f1_;
    std::map<std::string, ObjectiveFigures> figures_;
};

}  // namespace regrove::test
