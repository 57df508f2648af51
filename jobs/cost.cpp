// The job `cost`: what it costs to answer for rows when each feature has a price and is asked for only where it can matter.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "regrove/algebra/lazy_evaluation.hpp"
#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/model/link.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/table_output.hpp"
#include "regrove/pipeline/toml_sections.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

/// A cost for each feature of the model, from a file of `name = cost` lines; features that no condition asks about need none.
std::vector<double> read_costs(const std::string& path, const algebra::Polynomial& polynomial) {
    const auto sections = pipeline::read_toml_sections(path);
    if (sections.size() > 1)
        throw ConfigError(sections[1].origin + ": costs are lines 'feature = cost', without headings");
    std::map<std::string, double> costs;
    std::vector<std::string> names;
    for (const model::Feature& feature : polynomial.frame.features) names.push_back(feature.name);
    for (const pipeline::Setting& setting : sections[0].settings) {
        const auto number = parse_double(setting.value);
        if (number.status != NumberStatus::ok || !std::isfinite(number.value) || number.value < 0)
            throw ConfigError(setting.origin + ": the cost '" + setting.value +
                              "' is no finite number of at least 0");
        if (std::ranges::find(names, setting.key) == names.end()) {
            const std::string nearest = nearest_name(setting.key, names);
            throw ConfigError(setting.origin + ": the model has no feature '" + setting.key + "'" +
                              (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
        }
        costs[setting.key] = number.value;
    }
    std::vector<double> of_features(names.size(), 0);
    for (const algebra::Condition& condition : polynomial.conditions.all()) {
        const std::string& name = names[index(condition.feature)];
        const auto found = costs.find(name);
        if (found == costs.end())
            throw ConfigError(path + ": the feature '" + name + "' has no cost, but the model asks for it");
        of_features[index(condition.feature)] = found->second;
    }
    return of_features;
}

/// The largest score that an answer (a probability of class 1, or a value) of at most `answer` comes from: links rise.
double score_at(const model::Ensemble& frame, double answer) {
    const auto linked = [&](double score) {
        return frame.task == model::Task::regression ? model::linked_value(frame.link, score)
                                                     : model::linked_probabilities(frame.link, {score}, 2)[1];
    };
    double low = -745;
    double high = 745;
    if (frame.link == model::Link::identity) return answer;
    if (linked(low) > answer || linked(high) <= answer)
        throw ConfigError("decide_at: no answer of the model is on either side of " + to_text(answer));
    for (int step = 0; step < 200; ++step) {
        const double middle = low + (high - low) / 2;
        if (middle == low || middle == high) break;
        (linked(middle) <= answer ? low : high) = middle;
    }
    return low;
}

class CostJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", model_, "the model file, in any known format").value_name("FILE");
        table.add("data", data_, "the rows to answer for: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table.add("costs", costs_, "what each feature costs to know: a TOML file of lines 'feature = number'")
            .value_name("FILE");
        table
            .add("decide_at", decide_at_,
                 "a cut-off: a row is done once its probability (of class 1) or value must stay on one side of it; "
                 "default: rows are done when their score is known")
            .value_name("X");
        table.add("output", output_, "a row a feature: .h5, .tsv, else CSV; - is standard output")
            .value_name("FILE")
            .no_result();
        algebra::list_options(polynomial_, table);
    }

    void run(pipeline::JobContext& context) override {
        for (const auto& [name, value] :
             {std::pair("model", model_), std::pair("data", data_), std::pair("costs", costs_)})
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        std::optional<pipeline::TableOutput> output;
        if (!output_.empty()) output.emplace(context.comm, output_, context.overwrite);
        const model::Ensemble model = pipeline::load_model(context.comm, model_);
        context.summary.read(model_);
        const auto polynomial = algebra::as_sum(dist::ensemble_polynomial(context.comm, model, polynomial_));
        algebra::LazyOptions options;
        pipeline::agree_plainly(context.comm, [&] {
            options.feature_costs = read_costs(costs_, polynomial);
            if (!decide_at_.empty()) options.decide_at = decision_score(polynomial);
        });
        context.summary.read(costs_);
        const data::TableShard rows = load(context, model);
        const algebra::LazyAnswers answers = answer(context, polynomial, rows, options);
        report(context, polynomial, options, answers, rows.global_rows);
        if (!output) return;
        output->write_whole(context.comm, table_of(polynomial, options, answers, rows.global_rows));
        if (output_ != "-") context.summary.wrote(output_);
    }

  private:
    double decision_score(const algebra::Polynomial& polynomial) const {
        const model::Ensemble frame = algebra::summing_frame(polynomial);
        if (polynomial.scores != 1)
            throw ConfigError("decide_at: the model has " + std::to_string(polynomial.scores) +
                              " scores, but a cut-off divides one");
        const auto number = parse_double(decide_at_);
        if (number.status != NumberStatus::ok || !std::isfinite(number.value))
            throw ConfigError("decide_at: '" + decide_at_ + "' is no finite number");
        return score_at(frame, number.value);
    }

    data::TableShard load(pipeline::JobContext& context, const model::Ensemble& model) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = data_;
        request.expected = infer::expected_schema(model);
        data::TableShard rows = pipeline::load_table(context.comm, request);
        context.summary.read(data_);
        if (rows.global_rows == 0) throw InputError(data_ + " has no rows to answer for");
        return rows;
    }

    static algebra::LazyAnswers answer(pipeline::JobContext& context, const algebra::Polynomial& polynomial,
                                       const data::TableShard& rows, const algebra::LazyOptions& options) {
        const auto phase = context.summary.phase("answer");
        algebra::LazyAnswers answers;
        pipeline::agree_plainly(context.comm, [&] {
            const model::Ensemble asking = algebra::asking_ensemble(polynomial);
            const infer::Binding binding(asking, rows.schema);
            answers = algebra::evaluate_lazily(polynomial, binding, rows, options);
        });
        context.comm.sum(std::span<std::uint64_t>(answers.asked));
        return answers;
    }

    static double share(std::uint64_t asked, std::uint64_t rows) {
        return static_cast<double>(asked) / static_cast<double>(rows);
    }

    void report(pipeline::JobContext& context, const algebra::Polynomial& polynomial,
                const algebra::LazyOptions& options, const algebra::LazyAnswers& answers, std::uint64_t rows) const {
        double all = 0;
        double mean = 0;
        for (const FeatureId feature : algebra::lazy_order(polynomial, options)) {
            const double cost = options.feature_costs[index(feature)];
            all += cost;
            mean += cost * share(answers.asked[index(feature)], rows);
        }
        pipeline::Summary& summary = context.summary;
        summary.result["cost_of_all_features"] = all;
        summary.result["mean_cost"] = mean;
        summary.show("cost of all features", to_text(all));
        summary.show("mean cost a row", to_text(mean));
        if (!options.decide_at) return;
        const std::vector<std::uint64_t> own{
            static_cast<std::uint64_t>(std::ranges::count(answers.above, std::uint8_t{1}))};
        const std::uint64_t above = context.comm.sum(own[0]);
        summary.result["rows_above"] = above;
        summary.show("rows above the cut-off", std::to_string(above) + " of " + std::to_string(rows));
    }

    static data::TableShard table_of(const algebra::Polynomial& polynomial, const algebra::LazyOptions& options,
                                     const algebra::LazyAnswers& answers, std::uint64_t rows) {
        std::vector<std::string> names;
        std::vector<double> costs;
        std::vector<double> shares;
        for (const FeatureId feature : algebra::lazy_order(polynomial, options)) {
            names.push_back(polynomial.frame.features[index(feature)].name);
            costs.push_back(options.feature_costs[index(feature)]);
            shares.push_back(share(answers.asked[index(feature)], rows));
        }
        data::TableShard table;
        table.rows = table.global_rows = names.size();
        table.schema.columns = {{"feature", data::ColumnType::text, data::ColumnRole::feature, {}},
                                {"cost", data::ColumnType::float64, data::ColumnRole::feature, {}},
                                {"share_of_rows_that_ask", data::ColumnType::float64, data::ColumnRole::feature, {}}};
        table.values = {std::move(names), std::move(costs), std::move(shares)};
        return table;
    }

    std::string model_;
    std::string data_;
    std::string costs_;
    std::string decide_at_;
    std::string output_;
    algebra::PolynomialOptions polynomial_;
};

}  // namespace

pipeline::JobRow cost_job() {
    return {.name = "cost",
            .purpose = "what answers cost when features have prices and are asked for only where they matter",
            .group = "models",
            .example = "regrove cost --model pruned.json --data t.h5 --costs costs.toml --decide-at 0.5",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<CostJob>(); }};
}

}  // namespace regrove::jobs
