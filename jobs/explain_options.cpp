// The options in the order of --help: the question, the rows, the kinds' own, the outputs.
#include "explain_options.hpp"

#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/permutation_importance.hpp"

#include "explain_kinds.hpp"

namespace regrove::jobs {

namespace {

void list_kinds(ExplainOptions& options, OptionTable& table) {
    Choices<std::size_t> choices;
    std::string help;
    for (const ExplainKind& kind : explain_kinds()) {
        choices.emplace_back(kind.name, choices.size());
        help += (help.empty() ? "" : "; ") + kind.name + ": " + kind.help;
    }
    table.add("kind", options.kind, choices, help);
}

void list_permutation(PermutationOptions& options, OptionTable& table) {
    table
        .add("metric", options.metric,
             "permutation: one of " + dist::metric_names() + "; default: accuracy, or rmse for numbers")
        .value_name("NAME");
    table.add("repeats", options.repeats, 1, dist::k_most_repeats, "permutation: how often each feature is permuted");
}

void list_attribution(AttributionOptions& options, OptionTable& table) {
    table.add("per", options.per,
              Choices<ExplainPer>{{"feature", ExplainPer::feature}, {"condition", ExplainPer::condition}},
              "nu, shapley: a figure for each feature, or for each condition that the model's questions ask");
    table
        .add("rows", options.rows,
             "shapley, shap: also a table of every row's own values, one column a feature: .h5, .tsv, else CSV")
        .value_name("FILE")
        .no_result();
    algebra::list_options(options.polynomial, table);
}

void list_shap(ShapOptions& options, OptionTable& table) {
    table.add("mode", options.mode,
              Choices<ShapMode>{{"path", ShapMode::path}, {"interventional", ShapMode::interventional}},
              "shap: what an unknown feature does. path: questions about it go either way as often as in training; "
              "interventional: it has the value of a row of --background");
    table
        .add("background", options.background,
             "shap: the table of rows to compare with; with --mode path its rows are counted at the nodes instead of "
             "the training rows")
        .value_name("FILE");
    table.add("background_rows", options.background_rows, 0, std::uint64_t{1} << 32U,
              "shap, interventional: at most that many rows of --background, drawn by --seed; 0: all");
}

void list_dependence(DependenceOptions& options, OptionTable& table) {
    table.add("feature", options.features, "partial-dependence: the one or two features to vary").value_name("NAME");
    table.add(
        "points", options.points, 0, 10'000,
        "partial-dependence: at most that many intervals of a numeric feature; 0: 100, or 25 of two features; 1 "
        "counts as 2");
    table.add("response", options.response,
              Choices<dist::Response>{{"answer", dist::Response::answer}, {"raw", dist::Response::raw}},
              "partial-dependence: the mean of probabilities or values, or of scores before the link");
}

void list_outputs(ExplainOptions& options, OptionTable& table) {
    table.add("output", options.output, "the table: .h5, .tsv, else CSV; - is CSV on standard output; empty: none")
        .value_name("FILE")
        .no_result();
    table.add("picture", options.picture, "a picture of bars, or of maps: .svg or .png; empty: none")
        .value_name("FILE")
        .no_result();
    table
        .add("image_shape", options.image_shape,
             "the features are an image's pixels, row by row: the picture is a map of them")
        .value_name("HEIGHTxWIDTH");
    table
        .add("beside", options.beside,
             "with --image-shape: tables of other kinds that explain wrote of the same features, drawn beside")
        .value_name("FILE");
    table.add("map_columns", options.map_columns, 0, 100, "maps in a row of the picture; 0: at most five");
    table.add("top", options.top, 1, 10'000, "bars in the picture, the most important first");
    table.add("scale", options.scale, 0.1, 16, "pixels of a PNG for one of the SVG; 1 is 96 dpi");
}

}  // namespace

void list_options(ExplainOptions& options, OptionTable& table) {
    table.add("model", options.model, "the model file, in any known format").value_name("FILE");
    list_kinds(options, table);
    table
        .add("data", options.data,
             "the table of rows, for kinds that need them (" + names_of_kinds_with_rows() +
                 "): HDF5, CSV, TSV or LibSVM")
        .value_name("FILE");
    table
        .add("target", options.target,
             "permutation: label column by name or index; default: the table's label, or the model's")
        .value_name("COL");
    list_permutation(options.permutation, table);
    list_attribution(options.attribution, table);
    list_shap(options.shap, table);
    list_dependence(options.dependence, table);
    list_outputs(options, table);
}

}  // namespace regrove::jobs
