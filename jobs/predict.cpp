// Job predict: a model's answers for the rows of a table, in their order, the same on any number of ranks.
#include <algorithm>
#include <memory>

#include "regrove/core/error.hpp"
#include "regrove/dist/ingest_balance.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/infer/initial_scores.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/narrow_model.hpp"
#include "regrove/infer/prediction_table.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/table_output.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

struct Options {
    std::string model;
    std::string data;
    std::string output;
    infer::PredictionOptions prediction;
};

Choices<infer::PredictionKind> kind_choices() {
    using Kind = infer::PredictionKind;
    Choices<Kind> choices;
    for (const Kind kind : {Kind::automatic, Kind::classes, Kind::probability, Kind::value, Kind::leaf, Kind::raw})
        choices.emplace_back(infer::to_text(kind), kind);
    return choices;
}

class PredictJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", options_.model, "the model file, in any known format").value_name("FILE");
        table.add("data", options_.data, "the table to predict: HDF5, CSV, TSV or LibSVM").value_name("FILE");
        table.add("output", options_.output, "predictions: .h5, .tsv, else CSV; - is CSV on standard output")
            .value_name("FILE")
            .no_result();
        table.add("kind", options_.prediction.kind, kind_choices(), "what to predict; auto: class, or value");
        table.add(
            "flags", options_.prediction.flags,
            "add, per row, whether its path met a category or a missing value that training never saw there, or "
            "a number outside the node's training range");
    }

    void run(pipeline::JobContext& context) override {
        for (const auto& [name, value] : {std::pair("model", options_.model), std::pair("data", options_.data),
                                          std::pair("output", options_.output)})
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        pipeline::TableOutput output(context.comm, options_.output, context.overwrite);
        const auto ensemble = pipeline::load_model(context.comm, options_.model);
        context.summary.read(options_.model);
        options_.prediction.kind = infer::resolve_kind(options_.prediction.kind, ensemble);
        const auto table = load(context, ensemble);
        const auto predictions =
            table.cells ? predict_sparse(context, ensemble, table) : predict(context, ensemble, table.rows);
        {
            const auto phase = context.summary.phase("write");
            output.write(context.comm, predictions);
        }
        report(context, predictions);
    }

  private:
    pipeline::LoadedTable load(pipeline::JobContext& context, const model::Ensemble& ensemble) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = options_.data;
        request.expected = infer::expected_schema(ensemble);
        // Initial scores are read row by row from a column of their own.
        const auto form =
            infer::initial_score_column(ensemble).empty() ? dist::RowForm::sparse_if_better : dist::RowForm::dense;
        auto table = pipeline::load_table(context.comm, request, form, context.memory_limit_bytes);
        context.summary.read(options_.data);
        return table;
    }

    data::TableShard predict(pipeline::JobContext& context, const model::Ensemble& ensemble,
                             const data::TableShard& shard) const {
        const auto phase = context.summary.phase("predict");
        data::TableShard predictions;
        pipeline::agree_plainly(context.comm, [&] {
            const infer::Predictor predictor(ensemble, shard.schema);
            for (const std::string& warning : predictor.warnings()) context.summary.warn(warning);
            predictions = infer::prediction_table(ensemble, predictor, shard, options_.prediction);
        });
        return predictions;
    }

    /// With the features that the model asks about, block by block.
    data::TableShard predict_sparse(pipeline::JobContext& context, const model::Ensemble& ensemble,
                                    const pipeline::LoadedTable& table) const {
        const auto phase = context.summary.phase("predict");
        data::TableShard predictions;
        pipeline::agree_plainly(context.comm, [&] {
            const infer::NarrowModel narrow = infer::narrow_model(ensemble);
            const auto columns = infer::sparse_columns_of(narrow.model, *table.cells);
            dist::for_each_dense_block(table.rows, *table.cells, columns, [&](const data::TableShard& block) {
                const infer::Predictor predictor(narrow.model, block.schema);
                auto some = infer::prediction_table(narrow.model, predictor, block, options_.prediction);
                if (predictions.values.empty())
                    predictions = std::move(some);
                else
                    data::append(predictions, some);
            });
        });
        return dist::balanced(context.comm, std::move(predictions));
    }

    void report(pipeline::JobContext& context, const data::TableShard& predictions) const {
        pipeline::Summary& summary = context.summary;
        summary.result["rows"] = predictions.global_rows;
        summary.show("rows", std::to_string(predictions.global_rows));
        for (const std::string name : {"unseen_category", "unseen_missing", "outside_range"}) {
            if (!options_.prediction.flags) break;
            const auto& cells =
                std::get<std::vector<std::int32_t>>(predictions.values[*predictions.schema.find(name)]);
            const auto flagged = context.comm.sum(static_cast<std::uint64_t>(std::ranges::count(cells, 1)));
            summary.result["rows_" + name] = flagged;
            summary.show("rows " + name, std::to_string(flagged));
        }
        if (options_.output != "-") summary.wrote(options_.output);
        summary.show("output", options_.output);
    }

    Options options_;
};

}  // namespace

pipeline::JobRow predict_job() {
    return {.name = "predict",
            .purpose = "a model's answers for the rows of a table",
            .group = "models",
            .example = "regrove predict --model tree.json --data table.h5 --output predictions.csv",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<PredictJob>(); }};
}

}  // namespace regrove::jobs
