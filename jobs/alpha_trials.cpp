// Each fold's sums are made on one rank in the order of its rows, and added in the order of folds.
#include "alpha_trials.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <tuple>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/pipeline/refit.hpp"
#include "regrove/prune/cost_complexity.hpp"
#include "regrove/train/folds.hpp"

namespace regrove::jobs {
namespace {

/// What the rows of one fold are compared to.
struct Truth {
    std::vector<std::int32_t> classes;  ///< in the numbers of the model to be pruned
    std::vector<double> values;
    std::vector<double> weights;  ///< empty: all one
};

Truth truth_of(const model::Ensemble& model, const data::TableShard& rows) {
    Truth truth;
    const std::size_t label = infer::label_column(model, rows.schema);
    truth.weights = dist::weights_of(rows);
    if (model.task == model::Task::regression)
        truth.values = infer::true_values(rows, label);
    else
        truth.classes = infer::true_classes(model, rows, label);
    return truth;
}

/// For each class of `fitted` its number in `model`, -1 when it has none.
std::vector<std::int32_t> class_numbers(const model::Ensemble& fitted, const model::Ensemble& model) {
    std::vector<std::int32_t> numbers;
    for (const std::string& name : fitted.classes) {
        const auto found = std::ranges::find(model.classes, name);
        numbers.push_back(found == model.classes.end() ? -1
                                                       : static_cast<std::int32_t>(found - model.classes.begin()));
    }
    return numbers;
}

prune::ErrorSums judge(const model::Ensemble& fitted, const model::Ensemble& model, const data::TableShard& rows,
                       const Truth& truth) {
    const infer::Predictor predictor(fitted, rows.schema);
    const std::vector<NodeId> leaves = predictor.leaves(rows);
    const bool numbers = model.task == model::Task::regression;
    const std::vector<double> values = numbers ? predictor.values(leaves) : std::vector<double>{};
    const std::vector<std::int32_t> classes = numbers ? std::vector<std::int32_t>{} : predictor.classes(leaves);
    const std::vector<std::int32_t> number = class_numbers(fitted, model);
    prune::ErrorSums sums;
    for (std::size_t row = 0; row < rows.rows; ++row) {
        double error = 0;
        if (numbers)
            error = (values[row] - truth.values[row]) * (values[row] - truth.values[row]);
        else
            error = number[static_cast<std::size_t>(classes[row])] == truth.classes[row] ? 0 : 1;
        sums.add(truth.weights.empty() ? 1 : truth.weights[row], error);
    }
    return sums;
}

std::vector<std::size_t> steps_of(const std::vector<prune::CostComplexityPath>& paths, double alpha) {
    std::vector<std::size_t> steps;
    for (const auto& path : paths) steps.push_back(prune::steps_taken(path, alpha));
    return steps;
}

/// One refit, judged at each candidate. Neighbours that leave the same trees are judged once.
std::vector<prune::ErrorSums> run_trial(const AlphaTrials& trials, const pipeline::RefitOptions& options,
                                        const data::TableShard& whole, const train::Folds& folds,
                                        std::uint32_t fold) {
    std::vector<std::uint64_t> kept;
    std::vector<std::uint64_t> held_out;
    for (std::uint64_t row = 0; row < whole.rows; ++row) (folds.of_row[row] == fold ? held_out : kept).push_back(row);
    const auto alone = comm::make_self_communicator();
    const model::Ensemble fitted = pipeline::fit(*alone, data::take_rows(whole, kept), options.learner, options.seed);
    const data::TableShard rows = data::take_rows(whole, held_out);
    const Truth truth = truth_of(trials.model, rows);
    const auto paths = prune::cost_complexity_paths(fitted);
    std::vector<prune::ErrorSums> sums;
    std::vector<std::size_t> last_steps;
    for (const double alpha : trials.candidates) {
        std::vector<std::size_t> steps = steps_of(paths, alpha);
        if (sums.empty() || steps != last_steps)
            sums.push_back(judge(prune::pruned_ensemble(fitted, paths, alpha), trials.model, rows, truth));
        else
            sums.push_back(prune::ErrorSums(sums.back()));
        last_steps = std::move(steps);
    }
    return sums;
}

using Words = std::array<std::uint64_t, 5>;

Words to_words(const prune::ErrorSums& sums) {
    return {std::bit_cast<std::uint64_t>(sums.weight), std::bit_cast<std::uint64_t>(sums.squared_weight),
            std::bit_cast<std::uint64_t>(sums.error), std::bit_cast<std::uint64_t>(sums.squared_weight_error),
            std::bit_cast<std::uint64_t>(sums.squared_weighted_error)};
}

prune::ErrorSums from_words(const std::uint64_t* words) {
    return {std::bit_cast<double>(words[0]), std::bit_cast<double>(words[1]), std::bit_cast<double>(words[2]),
            std::bit_cast<double>(words[3]), std::bit_cast<double>(words[4])};
}

}  // namespace

std::vector<prune::CandidateError> cross_validate_alphas(comm::Communicator& comm, const AlphaTrials& trials,
                                                         data::TableShard shard) {
    const pipeline::RefitOptions options = pipeline::refit_options(trials.model);
    const data::TableShard whole = dist::replicate_table(comm, std::move(shard));
    const std::size_t count = trials.candidates.size();
    const std::size_t width = std::tuple_size_v<Words>;
    std::vector<std::uint64_t> words;
    std::uint32_t folds_made = 0;
    comm::agree_on(comm, [&] {
        train::FoldOptions fold_options;
        fold_options.folds = trials.folds;
        const train::Folds folds =
            train::assign_folds(whole, fold_options, options.learner.cart.criterion, {trials.seed, 0});
        folds_made = folds.count;
        words.resize(folds.count * count * width);
        const auto ranks = static_cast<std::uint32_t>(comm.size());
        for (auto fold = static_cast<std::uint32_t>(comm.rank()); fold < folds.count; fold += ranks) {
            const auto sums = run_trial(trials, options, whole, folds, fold);
            for (std::size_t i = 0; i < count; ++i)
                std::ranges::copy(to_words(sums[i]),
                                  words.begin() + static_cast<std::ptrdiff_t>((fold * count + i) * width));
        }
    });
    comm.sum(std::span<std::uint64_t>(words));  // each word is zero on all ranks but one
    std::vector<prune::CandidateError> errors;
    for (std::size_t i = 0; i < count; ++i) {
        prune::ErrorSums total;
        for (std::size_t fold = 0; fold < folds_made; ++fold)
            total.merge(from_words(words.data() + (fold * count + i) * width));
        errors.push_back(prune::finish(total));
    }
    return errors;
}

}  // namespace regrove::jobs
