// The job `draw`: a tree of a model file as a picture.
#include "regrove/core/error.hpp"
#include "regrove/draw/picture_formats.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/pipeline/output_file.hpp"

#include "job_table.hpp"

namespace regrove::jobs {
namespace {

// An index into the table of picture formats, or this: the output's name decides.
constexpr std::size_t k_by_name = static_cast<std::size_t>(-1);

Choices<std::size_t> format_choices() {
    Choices<std::size_t> choices{{"auto", k_by_name}};
    for (const draw::PictureFormat& format : draw::all_picture_formats())
        choices.emplace_back(format.name, choices.size() - 1);
    return choices;
}

std::string format_help() {
    std::string help = "auto: by the output's name;";
    for (const draw::PictureFormat& format : draw::all_picture_formats())
        help += (help.back() == ';' ? " " : "; ") + format.name + ": " + format.description;
    return help;
}

class DrawJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("model", model_, "the model file, in any known format").value_name("FILE");
        table.add("output", output_, "the picture; - is standard output").value_name("FILE").no_result();
        table.add("format", format_, format_choices(), format_help());
        draw::list_options(options_, table);
    }

    void run(pipeline::JobContext& context) override {
        if (model_.empty()) throw UsageError("--model is missing: name the model file to draw");
        const draw::PictureFormat& format = chosen_format();
        pipeline::OutputFile file(output_, context.overwrite);
        const model::Ensemble ensemble = formats::read_model(model_);
        context.summary.read(model_);
        const draw::TreePicture picture = draw::describe_tree(ensemble, options_);
        file.write(format.write(picture, options_));
        file.commit();
        if (output_ != "-") context.summary.wrote(output_);
        report(context.summary, picture, ensemble.trees[options_.tree]);
    }

  private:
    const draw::PictureFormat& chosen_format() const {
        if (format_ != k_by_name) return draw::all_picture_formats()[format_];
        return draw::picture_format("", output_);
    }

    void report(pipeline::Summary& summary, const draw::TreePicture& picture, const model::Tree& tree) const {
        summary.result["tree"] = options_.tree;
        summary.result["nodes"] = tree.nodes.size();
        summary.result["nodes_drawn"] = picture.cards.size();
        summary.show("tree", picture.subtitle);
        summary.show("drawn",
                     std::to_string(picture.cards.size()) + " of " + std::to_string(tree.nodes.size()) + " nodes");
        summary.show("picture", output_);
    }

    std::string model_;
    std::string output_ = "-";
    std::size_t format_ = k_by_name;
    draw::TreeDrawingOptions options_;
};

}  // namespace

pipeline::JobRow draw_job() {
    return {.name = "draw",
            .purpose = "draw a tree as SVG, PNG or DOT",
            .group = "models",
            .example = "regrove draw --model tree.json --output tree.svg",
            .mpi = pipeline::MpiUse::never,
            .make = [] { return std::make_unique<DrawJob>(); }};
}

}  // namespace regrove::jobs
