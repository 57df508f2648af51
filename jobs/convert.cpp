// Job convert: a model in another format or another form: monomials, symmetric trees.
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/algebra/symmetric_trees.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/predicted_cost.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_model.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/tree_trading.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

enum class Form : std::uint8_t { trees, polynomial, symmetric };
/// Which model is written when the other form is predicted to be slower.
enum class KeepOriginal : std::uint8_t { automatic, no };

std::uint64_t leaves_of(const model::Ensemble& ensemble) {
    std::uint64_t leaves = 0;
    for (const model::Tree& tree : ensemble.trees) leaves += tree.leaf_count();
    return leaves;
}

std::uint64_t depths_of(const model::Ensemble& ensemble) {
    std::uint64_t depths = 0;
    for (const model::Tree& tree : ensemble.trees) depths += tree.depth();
    return depths;
}

class ConvertJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", model_, "the model file, in any known format").value_name("FILE");
        table.add("output", output_, "the converted model; - is standard output").value_name("FILE").no_result();
        table.add(
            "form", form_,
            Choices<Form>{{"trees", Form::trees}, {"polynomial", Form::polynomial}, {"symmetric", Form::symmetric}},
            "trees: as it is, in another format; polynomial: a sum of monomials; symmetric: trees that ask one "
            "condition a level");
        table
            .add("to", to_,
                 "the format: " + format_names() +
                     "; default: regrove-polynomial for that form, else "
                     "regrove-json")
            .value_name("NAME");
        algebra::list_options(polynomial_, table);
        algebra::list_options(symmetric_, table);
        table.add("data", data_, "symmetric with --tree-cost: the training table").value_name("FILE");
        table.add("tree_cost", tree_cost_, 0, 1e300,
                  "symmetric: trees are left out while each adds less than this to the mean squared change of scores "
                  "on --data; "
                  "0: none");
        table.add("keep_original", keep_original_,
                  Choices<KeepOriginal>{{"auto", KeepOriginal::automatic}, {"no", KeepOriginal::no}},
                  "symmetric: auto: when the symmetric trees are predicted to take longer for a row, the model is "
                  "written as "
                  "it was; no, or with --tree-cost: they are written anyhow");
    }

    void run(pipeline::JobContext& context) override {
        if (model_.empty()) throw UsageError("--model is missing: name the model file to convert");
        if (output_.empty()) throw UsageError("--output is missing: name the converted model's file");
        if (tree_cost_ > 0 && (form_ != Form::symmetric || data_.empty()))
            throw UsageError("--tree-cost needs --form symmetric and --data, the rows that say what a tree adds");
        if (keep_original_ == KeepOriginal::no && form_ != Form::symmetric)
            throw UsageError("--keep-original belongs to --form symmetric");
        if (tree_cost_ == 0 && !data_.empty()) throw UsageError("--data is for --tree-cost");
        if (to_.empty()) to_ = form_ == Form::polynomial ? "regrove-polynomial" : "regrove-json";
        open_output(context);
        const model::Ensemble model = pipeline::load_model(context.comm, model_);
        context.summary.read(model_);
        context.summary.result["trees_before"] = model.trees.size();
        context.summary.details["leaves_before"] = leaves_of(model);
        context.summary.show("trees", std::to_string(model.trees.size()));
        model::Ensemble converted = convert(context, model);
        if (form_ != Form::trees && !pays(context.summary, model, converted)) converted = model;
        context.summary.result["trees_after"] = converted.trees.size();
        context.summary.result["exact"] = exact_;
        context.summary.details["leaves_after"] = leaves_of(converted);
        context.summary.show("trees after", std::to_string(converted.trees.size()));
        context.summary.show("exact", exact_ ? "yes" : "no: scores change by at most " + to_text(error_bound_));
        write(context, converted);
    }

  private:
    static std::string format_names() {
        std::string names;
        for (const formats::Format& format : formats::all_formats())
            if (format.write) names += (names.empty() ? "" : ", ") + format.name;
        return names;
    }

    /// Refuses an existing file before long work.
    void open_output(pipeline::JobContext& context) {
        comm::agree_on(context.comm, [&] {
            if (context.comm.is_root())
                output_file_ = std::make_unique<pipeline::OutputFile>(output_, context.overwrite);
        });
    }

    model::Ensemble convert(pipeline::JobContext& context, const model::Ensemble& model) {
        if (form_ == Form::trees) return model;
        if (form_ == Form::polynomial) pipeline::require_no_initial_scores(model, "--form polynomial");
        const auto phase = context.summary.phase("convert");
        algebra::Polynomial polynomial = algebra::as_sum(dist::ensemble_polynomial(context.comm, model, polynomial_));
        context.summary.result["monomials"] = polynomial.size();
        context.summary.details["conditions"] = polynomial.conditions.size();
        context.summary.show("monomials", std::to_string(polynomial.size()));
        context.summary.show("conditions", std::to_string(polynomial.conditions.size()));
        exact_ = algebra::has_exact_sum(polynomial) && polynomial_.round_bits == 0;
        if (polynomial_.round_bits > 0)
            error_bound_ += std::ldexp(static_cast<double>(model.trees.size() + 1),
                                       -static_cast<int>(polynomial_.round_bits) - 1);
        if (tree_cost_ > 0) polynomial = with_fewer_trees(context, model, polynomial);
        model::Ensemble converted;
        pipeline::agree_plainly(context.comm, [&] {
            converted = form_ == Form::polynomial ? algebra::monomial_trees(polynomial)
                                                  : symmetric(context.summary, model, polynomial);
        });
        converted.provenance["form"] = form_ == Form::polynomial ? "polynomial" : "symmetric";
        return converted;
    }

    algebra::Polynomial with_fewer_trees(pipeline::JobContext& context, const model::Ensemble& model,
                                         const algebra::Polynomial& polynomial) {
        pipeline::TableRequest request;
        request.path = data_;
        request.expected = infer::expected_schema(model);
        const data::TableShard training = pipeline::load_table(context.comm, request);
        context.summary.read(data_);
        const pipeline::TradedPolynomial traded =
            pipeline::trade_trees(context.comm, polynomial, symmetric_, training, tree_cost_);
        if (traded.trees_left_out > 0) exact_ = false;
        error_bound_ += traded.change_bound;
        context.summary.result["trees_left_out"] = traded.trees_left_out;
        context.summary.result["mean_squared_change"] = traded.squared_error;
        context.summary.show("trees left out", std::to_string(traded.trees_left_out));
        context.summary.show("mean squared change of scores", to_text(traded.squared_error));
        return traded.polynomial;
    }

    model::Ensemble symmetric(pipeline::Summary& summary, const model::Ensemble& model,
                              const algebra::Polynomial& polynomial) {
        algebra::SymmetricForm form = algebra::symmetric_trees(polynomial, symmetric_);
        exact_ = exact_ && form.error_bound == 0;
        error_bound_ += form.error_bound;
        summary.details["symmetric_trees"] = form.groups;
        summary.details["tail_monomials"] = form.tail;
        summary.details["remainder_trees"] = form.remainder_trees;
        summary.details["questions_a_row_before"] = depths_of(model);
        summary.details["questions_a_row_after"] = depths_of(form.ensemble);
        summary.show("symmetric trees", std::to_string(form.groups));
        summary.show("monomials of more conditions than trees have", std::to_string(form.tail));
        summary.show("trees of what doubles cannot hold", std::to_string(form.remainder_trees));
        summary.show("questions a row, at most", std::to_string(depths_of(model)) + " before, " +
                                                     std::to_string(depths_of(form.ensemble)) + " after");
        return std::move(form.ensemble);
    }

    /// Tells both predictions; whether the converted model is the one to write.
    bool pays(pipeline::Summary& summary, const model::Ensemble& model, const model::Ensemble& converted) {
        const double before = infer::predicted_row_ns(model);
        const double after = infer::predicted_row_ns(converted);
        // Who names a price for trees wants the fewer ones.
        const bool converts =
            form_ != Form::symmetric || keep_original_ == KeepOriginal::no || tree_cost_ > 0 || after < before;
        summary.result["predicted_row_ns_before"] = before;
        summary.result["predicted_row_ns_after"] = after;
        summary.result["kept"] = converts ? "converted" : "original";
        std::array<char, 64> text{};
        std::snprintf(text.data(), text.size(), "%.0f before, %.0f after", before, after);
        summary.show("predicted nanoseconds a row", text.data());
        summary.show("written",
                     converts ? "the converted model" : "the model as it was, which is predicted to be faster");
        if (converts) return true;
        exact_ = true;
        error_bound_ = 0;
        return false;
    }

    void write(pipeline::JobContext& context, const model::Ensemble& converted) {
        const auto phase = context.summary.phase("write");
        comm::agree_on(context.comm, [&] {
            if (output_file_ == nullptr) return;
            output_file_->write(formats::write_model(converted, to_));
            output_file_->commit();
        });
        if (output_ != "-") context.summary.wrote(output_);
    }

    std::string model_;
    std::string output_;
    Form form_ = Form::trees;
    std::string to_;
    algebra::PolynomialOptions polynomial_;
    algebra::SymmetricOptions symmetric_;
    std::string data_;
    double tree_cost_ = 0;
    KeepOriginal keep_original_ = KeepOriginal::automatic;
    bool exact_ = true;
    double error_bound_ = 0;
    std::unique_ptr<pipeline::OutputFile> output_file_;  ///< on the root
};

}  // namespace

pipeline::JobRow convert_job() {
    return {.name = "convert",
            .purpose = "a model in another format, or as monomials or symmetric trees",
            .group = "models",
            .example = "regrove convert --model boosted.json --form symmetric --output symmetric.json",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<ConvertJob>(); }};
}

}  // namespace regrove::jobs
