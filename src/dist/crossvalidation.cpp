// Trials send each held-out answer to the rank that answers for its row, as one record of doubles.
#include "regrove/dist/crossvalidation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/comm/agreement.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::dist {

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

/// trial, row, predicted class or value, probabilities: doubles hold all of them exactly.
constexpr std::size_t k_record_head = 3;

std::size_t label_column(const data::TableShard& roles) { return *roles.schema.find(data::ColumnRole::label); }

/// Zero: numbers are learned.
std::uint32_t class_count(const data::TableShard& roles) {
    return static_cast<std::uint32_t>(roles.schema.columns[label_column(roles)].categories.size());
}

double mean_leaves(const model::Ensemble& ensemble) {
    std::uint64_t leaves = 0;
    for (const auto& tree : ensemble.trees) leaves += tree.leaf_count();
    return static_cast<double>(leaves) / static_cast<double>(ensemble.trees.size());
}

double deepest(const model::Ensemble& ensemble) {
    std::uint32_t depth = 0;
    for (const auto& tree : ensemble.trees) depth = std::max(depth, tree.depth());
    return depth;
}

Answers answer_shard(comm::Communicator& comm, const model::Ensemble& ensemble, const data::TableShard& shard) {
    return comm::agree_on(comm, [&] {
        const infer::Predictor predictor(ensemble, shard.schema);
        Answers answers = answer_rows(ensemble, predictor, shard);
        metric::validate(answers.view());
        return answers;
    });
}

/// Room for the answers of this rank's rows of all sheets, with the truth.
HeldOut empty_sheets(const CrossValidationRun& run) {
    HeldOut held_out;
    held_out.sheet_begins.push_back(0);
    Answers& answers = held_out.answers;
    for (std::size_t sheet = 0; sheet < run.plan.sheets(); ++sheet) {
        const TrialTable& table = run.tables[run.plan.table_of_sheet(sheet)];
        const data::TableShard own = data::slice(table.roles(), table.own_begin(), table.own_end());
        const std::size_t label = label_column(own);
        answers.rows += own.rows;
        answers.classes = class_count(own);
        if (answers.classes != 0) {
            const auto& codes = std::get<std::vector<std::int32_t>>(own.values[label]);
            answers.true_class.insert(answers.true_class.end(), codes.begin(), codes.end());
        } else {
            for (std::uint64_t row = 0; row < own.rows; ++row)
                answers.true_value.push_back(data::as_double(own.schema.columns[label].type, own.values[label], row));
        }
        const auto weights = weights_of(own);
        answers.weight.insert(answers.weight.end(), weights.begin(), weights.end());
        held_out.sheet_begins.push_back(answers.rows);
    }
    answers.predicted_class.resize(answers.classes != 0 ? answers.rows : 0);
    answers.probability.resize(answers.rows * answers.classes);
    answers.predicted_value.resize(answers.classes == 0 ? answers.rows : 0);
    held_out.fold.resize(answers.rows);
    return held_out;
}

class Runner {
  public:
    Runner(comm::Communicator& comm, const CrossValidationRun& run, const Fit& fit)
        : comm_(comm), run_(run), fit_(fit), metrics_(run.metrics.size()), width_(4 + 2 * metrics_) {
        numbers_.resize(width_ * run.plan.trials());
        records_.resize(static_cast<std::size_t>(comm.size()));
    }

    CrossValidation operator()() {
        TrialRun trials;
        trials.spread = run_.spread;
        trials.count = run_.plan.trials();
        trials.what = "cross-validation";
        trials.name = [&](std::uint64_t trial) { return run_.plan.name(trial); };
        trials.work = [&](comm::Communicator& trial_comm, std::uint64_t trial) { run_trial(trial_comm, trial); };
        run_trials(comm_, trials);
        share_numbers(comm_, run_.spread, width_, numbers_);
        CrossValidation result;
        for (std::uint64_t trial = 0; trial < run_.plan.trials(); ++trial) result.trials.push_back(figures(trial));
        result.held_out = collect();
        for (const metric::Metric& metric : run_.metrics)
            result.pooled.push_back(metric_number(comm_, metric, result.held_out.answers.view()));
        return result;
    }

  private:
    void run_trial(comm::Communicator& comm, std::uint64_t trial) {
        const TrialRows rows = run_.plan.rows(trial);
        const data::TableShard train = run_.tables[rows.train_table].take(comm, rows.train);
        const data::TableShard test = run_.tables[rows.test_table].take(comm, rows.test);
        const model::Ensemble ensemble = fit_(comm, train, trial_seed(run_.seed, trial));
        const Answers of_test = answer_shard(comm, ensemble, test);
        const Answers of_train = answer_shard(comm, ensemble, train);
        double* number = &numbers_[width_ * trial];
        *number++ = static_cast<double>(rows.train.size());
        *number++ = static_cast<double>(rows.test.size());
        *number++ = mean_leaves(ensemble);
        *number++ = deepest(ensemble);
        for (const metric::Metric& metric : run_.metrics) *number++ = metric_number(comm, metric, of_train.view());
        for (const metric::Metric& metric : run_.metrics) *number++ = metric_number(comm, metric, of_test.view());
        record(trial, rows, of_test);
    }

    void record(std::uint64_t trial, const TrialRows& rows, const Answers& answers) {
        const TrialTable& table = run_.tables[rows.test_table];
        const auto places = table.held(rows.test);
        for (std::size_t i = 0; i < places.size(); ++i) {
            auto& record = records_[table.owner(places[i])];
            record.push_back(static_cast<double>(trial));
            record.push_back(static_cast<double>(places[i]));
            record.push_back(answers.classes != 0 ? answers.predicted_class[i] : answers.predicted_value[i]);
            const auto first = answers.probability.begin() + static_cast<std::ptrdiff_t>(i * answers.classes);
            record.insert(record.end(), first, first + answers.classes);
        }
    }

    TrialFigures figures(std::uint64_t trial) const {
        const double* number = &numbers_[width_ * trial];
        TrialFigures figures;
        figures.train_rows = static_cast<std::uint64_t>(number[0]);
        figures.test_rows = static_cast<std::uint64_t>(number[1]);
        figures.leaves = number[2];
        figures.depth = number[3];
        figures.train.assign(number + 4, number + 4 + metrics_);
        figures.test.assign(number + 4 + metrics_, number + width_);
        return figures;
    }

    HeldOut collect() {
        comm::Pieces<double> send;
        for (auto& records : records_) {
            send.counts.push_back(records.size());
            send.values.insert(send.values.end(), records.begin(), records.end());
            records = {};
        }
        const auto received = comm_.exchange(send);
        return comm::agree_on(comm_, [&] {
            HeldOut held_out = empty_sheets(run_);
            const std::size_t width = k_record_head + held_out.answers.classes;
            for (auto record = received.values.begin(); record != received.values.end();
                 record += static_cast<std::ptrdiff_t>(width))
                place(&*record, held_out);
            return held_out;
        });
    }

    void place(const double* record, HeldOut& held_out) const {
        const auto trial = static_cast<std::uint64_t>(record[0]);
        const std::size_t sheet = run_.plan.sheet(trial);
        const TrialTable& table = run_.tables[run_.plan.table_of_sheet(sheet)];
        const std::size_t at =
            held_out.sheet_begins[sheet] + (static_cast<std::uint64_t>(record[1]) - table.own_begin());
        Answers& answers = held_out.answers;
        held_out.fold[at] = static_cast<std::uint32_t>(run_.plan.fold(trial));
        if (answers.classes == 0) {
            answers.predicted_value[at] = record[2];
            return;
        }
        answers.predicted_class[at] = static_cast<std::int32_t>(record[2]);
        std::copy_n(record + k_record_head, answers.classes, &answers.probability[at * answers.classes]);
    }

    comm::Communicator& comm_;
    const CrossValidationRun& run_;
    const Fit& fit_;
    std::size_t metrics_;
    std::size_t width_;
    std::vector<double> numbers_;               ///< width_ a trial
    std::vector<std::vector<double>> records_;  ///< one a rank that answers for the rows
};

}  // namespace

CrossValidation cross_validate(comm::Communicator& comm, const CrossValidationRun& run, const Fit& fit) {
    return Runner(comm, run, fit)();
}

MeanOfTrials mean_of(const std::vector<double>& values) {
    MeanOfTrials result;
    for (const double value : values) {
        if (std::isnan(value)) continue;
        result.mean += value;
        result.defined += 1;
    }
    const auto n = static_cast<double>(result.defined);
    result.mean = result.defined == 0 ? k_nan : result.mean / n;
    double squares = 0;
    for (const double value : values)
        if (!std::isnan(value)) squares += (value - result.mean) * (value - result.mean);
    result.standard_error = result.defined < 2 ? k_nan : std::sqrt(squares / (n - 1) / n);
    return result;
}

}  // namespace regrove::dist
