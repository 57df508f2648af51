// Job growth: how the time of a born-again search grows with the features, rows or trees of its ensemble.
#include <algorithm>
#include <memory>
#include <optional>

#include "regrove/bornagain/certificate.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/keyed_permutation.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/random.hpp"
#include "regrove/data/take_rows.hpp"
#include "regrove/dist/replicate_table.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/learner.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/table_output.hpp"

#include "growth_report.hpp"
#include "job_table.hpp"
#include "reborn_search.hpp"

namespace regrove::jobs {
namespace {

using bornagain::Objective;

/// Random streams of the chosen rows, the chosen features and the forests' seeds; the low bits are the repeat.
constexpr std::uint64_t k_row_streams = std::uint64_t{9} << 56U;
constexpr std::uint64_t k_feature_streams = k_row_streams | std::uint64_t{1} << 48U;
constexpr std::uint64_t k_seed_streams = k_row_streams | std::uint64_t{2} << 48U;

enum class Vary : std::uint8_t { features, rows, trees };

/// The first `count` of a random order of [0, size), in rising order: those of a smaller count are among them.
std::vector<std::uint64_t> chosen(std::uint64_t seed, std::uint64_t stream, std::uint64_t size, std::uint64_t count) {
    const KeyedPermutation order(seed, stream, size);
    std::vector<std::uint64_t> places;
    for (std::uint64_t i = 0; i < std::min(count, size); ++i) places.push_back(order(i));
    std::sort(places.begin(), places.end());
    return places;
}

data::TableShard without_columns(data::TableShard table, const std::vector<std::size_t>& dropped) {
    for (std::size_t i = dropped.size(); i-- > 0;) {
        const auto at = static_cast<std::ptrdiff_t>(dropped[i]);
        table.schema.columns.erase(table.schema.columns.begin() + at);
        table.values.erase(table.values.begin() + at);
    }
    return table;
}

class GrowthJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("data", data_, "the table that forests are grown on").value_name("FILE");
        table.add("target", target_, "label column by name or index; default: the table's label").value_name("COL");
        table
            .add("fold_column", fold_column_,
                 "repeat r leaves out the rows with the number r here; without it every repeat draws from all rows")
            .value_name("COL");
        table.add("vary", vary_,
                  Choices<Vary>{{"features", Vary::features}, {"rows", Vary::rows}, {"trees", Vary::trees}},
                  "the size that takes each of --values");
        table.add("values", values_, "sizes to measure at, e.g. 2,3,5,7,10").value_name("N,N,...");
        table.add("features", size_.features, 1, 1'000'000, "features of each forest, drawn at random");
        table.add("rows", size_.rows, 1, 1'000'000'000, "rows of each forest, drawn at random");
        table.add("trees", size_.trees, 1, 100'000, "trees of each forest, of p/2 candidate features a question");
        table.add("max_depth", max_depth_, 1, 64, "depth of the forests' trees");
        table.add("repeats", repeats_, 1, 100'000, "forests for each value");
        table.add("objective", options_.objective,
                  Choices<Objective>{{"depth", Objective::depth},
                                     {"leaves", Objective::leaves},
                                     {"depth-leaves", Objective::depth_leaves},
                                     {"heuristic", Objective::heuristic}},
                  "of the search, as in reborn");
        table.add("output", output_, "a row for each search: .h5, .tsv, else CSV; - is standard output")
            .value_name("FILE")
            .no_result();
        table.add("picture", picture_, "the seconds over the values, .svg or .png").value_name("FILE").no_result();
    }

    void run(pipeline::JobContext& context) override {
        check_options();
        open_outputs(context);
        const data::TableShard table = load(context);
        std::vector<Measured> all;
        for (const std::uint64_t value : sizes_)
            for (std::uint32_t repeat = 1; repeat <= repeats_; ++repeat)
                all.push_back(measure(context, table, value, repeat));
        report(context, all);
        if (output_file_) output_file_->write_whole(context.comm, growth_table(all));
        write_picture(context, all);
        for (const std::string& path : {output_, picture_})
            if (!path.empty() && path != "-") context.summary.wrote(path);
    }

  private:
    void check_options() {
        if (data_.empty()) throw UsageError("--data is missing: name the table that forests are grown on");
        if (values_.empty()) throw UsageError("--values is missing: name the sizes to measure at");
        if (output_.empty() && picture_.empty()) throw UsageError("--output or --picture is missing");
        if (!picture_.empty()) draw::check_chart_path(picture_);
        for (const std::string& text : values_) {
            const auto number = parse_int64(text);
            if (number.status != NumberStatus::ok || number.value < 1)
                throw ConfigError("values: '" + text + "' is no whole number of at least 1");
            sizes_.push_back(static_cast<std::uint64_t>(number.value));
        }
        std::sort(sizes_.begin(), sizes_.end());
    }

    void open_outputs(pipeline::JobContext& context) {
        if (!output_.empty()) output_file_.emplace(context.comm, output_, context.overwrite);
        comm::agree_on(context.comm, [&] {
            if (context.comm.is_root() && !picture_.empty())
                picture_file_ = std::make_unique<pipeline::OutputFile>(picture_, context.overwrite);
        });
    }

    data::TableShard load(pipeline::JobContext& context) const {
        const auto phase = context.summary.phase("load");
        pipeline::TableRequest request;
        request.path = data_;
        request.target = target_;
        request.refuse_useless = true;
        if (!fold_column_.empty()) request.required = {fold_column_};
        data::TableShard shard = pipeline::load_table(context.comm, request);
        context.summary.read(data_);
        pipeline::agree_plainly(context.comm, [&] {
            if (!shard.schema.find(data::ColumnRole::label)) throw UsageError("--target is missing: name the label");
        });
        return dist::replicate_table(context.comm, std::move(shard));
    }

    EnsembleSize size_at(std::uint64_t value) const {
        EnsembleSize size = size_;
        if (vary_ == Vary::features) size.features = value;
        if (vary_ == Vary::rows) size.rows = value;
        if (vary_ == Vary::trees) size.trees = value;
        return size;
    }

    /// Rows and features of one forest; larger ones hold the smaller ones of the same repeat.
    data::TableShard part_of(const data::TableShard& table, const EnsembleSize& size, std::uint64_t seed,
                             std::uint32_t repeat) const {
        std::vector<std::uint64_t> rows;
        const auto fold = table.schema.find(fold_column_);
        for (std::size_t row = 0; row < table.rows; ++row)
            if (fold_column_.empty() ||
                data::as_double(table.schema.columns[*fold].type, table.values[*fold], row) != repeat)
                rows.push_back(row);
        std::vector<std::uint64_t> taken;
        for (const std::uint64_t place : chosen(seed, k_row_streams | repeat, rows.size(), size.rows))
            taken.push_back(rows[place]);
        std::vector<std::size_t> features = table.schema.features();
        if (fold) std::erase(features, *fold);
        std::vector<std::size_t> dropped;
        const auto kept = chosen(seed, k_feature_streams | repeat, features.size(), size.features);
        for (std::size_t i = 0; i < features.size(); ++i)
            if (!std::binary_search(kept.begin(), kept.end(), i)) dropped.push_back(features[i]);
        if (fold) dropped.push_back(*fold);
        std::sort(dropped.begin(), dropped.end());
        return without_columns(data::take_rows(table, taken), dropped);
    }

    Measured measure(pipeline::JobContext& context, const data::TableShard& table, std::uint64_t value,
                     std::uint32_t repeat) {
        Measured measured;
        measured.value = value;
        measured.repeat = repeat;
        measured.size = size_at(value);
        const model::Ensemble forest = comm::agree_on(context.comm, [&] {
            pipeline::LearnerOptions learner;
            learner.method = pipeline::Method::forest;
            learner.cart.criterion = train::Criterion::gini;
            learner.cart.max_depth = max_depth_;
            learner.forest.trees = static_cast<std::uint32_t>(measured.size.trees);
            learner.forest.max_features = "p/2";
            learner.forest.combination = model::Combination::majority;
            data::TableShard part = part_of(table, measured.size, context.seed, repeat);
            measured.size.rows = part.rows;
            const auto alone = comm::make_self_communicator();
            return pipeline::fit(*alone, std::move(part), learner,
                                 CounterRandom(context.seed, k_seed_streams).bits(repeat));
        });
        measured.size.features = forest.features.size();
        const std::vector<const model::Ensemble*> models{&forest};
        const auto space = cellspace::make_space(models, cellspace::UnseenValues::outside);
        const cellspace::CompiledEnsemble compiled(forest, space);
        options_.seed = context.seed;
        const SearchOutcome outcome = RebornSearch(context, "").run(compiled, space, options_);
        if (outcome.result.ended == bornagain::Ended::stopped)
            throw LimitError("the time is over, or a signal came, before all searches were done; nothing is written");
        measured.hyperplanes = space.hyperplanes();
        measured.log10_cells = space.log10_cells();
        measured.result = outcome.result;
        measured.seconds = outcome.seconds;
        return measured;
    }

    std::string vary_name() const {
        return vary_ == Vary::features ? "features" : vary_ == Vary::rows ? "rows" : "trees";
    }

    void report(pipeline::JobContext& context, const std::vector<Measured>& all) const {
        auto& result = context.summary.result;
        for (const std::uint64_t value : sizes_) {
            const auto seconds = seconds_at(all, value);
            result["median_seconds"].push_back(median(seconds));
            context.summary.show(
                vary_name() + " " + std::to_string(value),
                "median " + format_seconds(median(seconds)) + ", slowest " + format_seconds(seconds.back()));
        }
        result["values"] = sizes_;
        result["searches"] = all.size();
    }

    void write_picture(pipeline::JobContext& context, const std::vector<Measured>& all) {
        comm::agree_on(context.comm, [&] {
            if (!picture_file_) return;
            picture_file_->write(draw::line_chart_picture(
                growth_chart(all, sizes_,
                             {vary_name(), std::string(bornagain::to_text(options_.objective)), repeats_}),
                picture_));
            picture_file_->commit();
        });
    }

    std::string data_;
    std::string target_;
    std::string fold_column_;
    Vary vary_ = Vary::features;
    std::vector<std::string> values_;
    std::vector<std::uint64_t> sizes_;
    EnsembleSize size_{10, 2500, 10};
    std::uint32_t max_depth_ = 3;
    std::uint32_t repeats_ = 10;
    bornagain::RebornOptions options_;
    std::string output_;
    std::string picture_;
    std::optional<pipeline::TableOutput> output_file_;
    std::unique_ptr<pipeline::OutputFile> picture_file_;
};

}  // namespace

pipeline::JobRow growth_job() {
    return {.name = "growth",
            .purpose = "how the time of a born-again search grows with features, rows or trees",
            .group = "models",
            .example = "regrove growth --data t.csv --target y --vary trees --values 3,5,10 --picture trees.svg",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<GrowthJob>(); }};
}

}  // namespace regrove::jobs
