// The job `draw`: a tree of a model file, or a model's regions over two features, as a picture.
#include <optional>

#include "regrove/core/error.hpp"
#include "regrove/draw/picture_formats.hpp"
#include "regrove/draw/png.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/pipeline/region_picture.hpp"

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
        table
            .add("regions", regions_.features,
                 "draw the model's regions over these two numeric features, across and up, instead of a tree")
            .value_name("X,Y");
        table
            .add("at", regions_.at,
                 "regions: where another feature is held; default: the median (or most frequent category) of --data, "
                 "else the middle of the range that training saw (or the heavier side)")
            .value_name("FEATURE=VALUE");
        table.add("data", data_, "regions: a table with labels, whose rows are drawn as points").value_name("FILE");
        table.add("points", regions_.points, 1, 100'000, "regions: draw at most that many rows, evenly spaced");
    }

    void run(pipeline::JobContext& context) override {
        if (model_.empty()) throw UsageError("--model is missing: name the model file to draw");
        const draw::PictureFormat& format = chosen_format();
        require_fit(format);
        pipeline::OutputFile file(output_, context.overwrite);
        const model::Ensemble ensemble = formats::read_model(model_);
        context.summary.read(model_);
        file.write(regions_.features.empty() ? draw_tree(context.summary, ensemble, format)
                                             : draw_regions(context, ensemble, format));
        file.commit();
        if (output_ != "-") context.summary.wrote(output_);
        context.summary.show("picture", output_);
    }

  private:
    const draw::PictureFormat& chosen_format() const {
        if (format_ != k_by_name) return draw::all_picture_formats()[format_];
        return draw::picture_format("", output_);
    }

    void require_fit(const draw::PictureFormat& format) const {
        if (!regions_.features.empty() && format.name == "dot")
            throw ConfigError("format: dot holds graphs, not maps; give --regions an .svg or .png");
        if (!regions_.features.empty()) return;
        if (!data_.empty())
            throw ConfigError("data: only --regions draws rows; a tree is drawn from its model alone");
        if (!regions_.at.empty()) throw ConfigError("at: only --regions holds features still");
    }

    std::string draw_tree(pipeline::Summary& summary, const model::Ensemble& ensemble,
                          const draw::PictureFormat& format) const {
        const draw::TreePicture picture = draw::describe_tree(ensemble, options_);
        report(summary, picture, ensemble.trees[options_.tree]);
        return format.write(picture, options_);
    }

    std::string draw_regions(pipeline::JobContext& context, const model::Ensemble& ensemble,
                             const draw::PictureFormat& format) const {
        std::optional<data::TableShard> rows;
        if (!data_.empty()) {
            pipeline::TableRequest request;
            request.path = data_;
            request.expected = infer::expected_schema(ensemble);
            rows = pipeline::load_table(context.comm, request);
            context.summary.read(data_);
        }
        const draw::RegionMap map = pipeline::describe_regions(ensemble, regions_, rows ? &*rows : nullptr);
        context.summary.result["regions"] = map.regions.size();
        context.summary.result["points"] = map.points.size();
        context.summary.show("regions", map.subtitle);
        if (rows) context.summary.show("points", std::to_string(map.points.size()));
        std::string svg = draw::region_map_svg(map);
        return format.name == "png" ? draw::png_from_svg(svg, options_.scale) : svg;
    }

    void report(pipeline::Summary& summary, const draw::TreePicture& picture, const model::Tree& tree) const {
        summary.result["tree"] = options_.tree;
        summary.result["nodes"] = tree.nodes.size();
        summary.result["nodes_drawn"] = picture.cards.size();
        summary.show("tree", picture.subtitle);
        summary.show("drawn",
                     std::to_string(picture.cards.size()) + " of " + std::to_string(tree.nodes.size()) + " nodes");
    }

    std::string model_;
    std::string output_ = "-";
    std::size_t format_ = k_by_name;
    std::string data_;
    draw::TreeDrawingOptions options_;
    pipeline::RegionRequest regions_;
};

}  // namespace

pipeline::JobRow draw_job() {
    return {.name = "draw",
            .purpose = "draw a tree, or a model's regions over two features, as SVG, PNG or DOT",
            .group = "models",
            .example = "regrove draw --model tree.json --output tree.svg",
            .mpi = pipeline::MpiUse::never,
            .make = [] { return std::make_unique<DrawJob>(); }};
}

}  // namespace regrove::jobs
