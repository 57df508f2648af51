// What all pictures share, element by element.
#include "page_svg.hpp"

#include <algorithm>
#include <utility>

namespace regrove::draw {
namespace {

constexpr double k_swatch = 12;
constexpr double k_legend_line = 20;
constexpr double k_note_line = 16;

}  // namespace

void draw_heading(SvgWriter& svg, const std::string& title, const std::string& subtitle) {
    write_text(svg, k_margin, k_margin + 18, k_title_font, k_ink, title);
    write_text(svg, k_margin, k_margin + 40, k_subtitle_font, k_quiet_ink, subtitle);
}

double heading_width(const std::string& title, const std::string& subtitle) {
    return std::max(text_width(title, k_title_font), text_width(subtitle, k_subtitle_font));
}

double draw_legend(SvgWriter& svg, const std::vector<LegendEntry>& legend, double y, double page_width) {
    double x = k_margin;
    for (const LegendEntry& entry : legend) {
        const double width = k_swatch + 6 + text_width(entry.text, k_legend_font);
        if (x > k_margin && x + width > page_width - k_margin) {
            x = k_margin;
            y += k_legend_line;
        }
        SvgWriter::Attributes swatch;
        swatch.set("x", x).set("y", y).set("width", k_swatch).set("height", k_swatch).set("rx", 2.0);
        svg.empty("rect", swatch.set("fill", entry.color));
        write_text(svg, x + k_swatch + 6, y + 10.5, k_legend_font, k_ink, entry.text);
        x += width + 20;
    }
    return legend.empty() ? y : y + k_legend_line;
}

double draw_scale(SvgWriter& svg, const ValueScale& scale, double y) {
    constexpr int steps = 32;
    constexpr double step_width = 6;
    double x = k_margin;
    if (!scale.name.empty()) {
        write_text(svg, x, y + 10.5, k_legend_font, k_ink, scale.name);
        x += text_width(scale.name, k_legend_font) + 14;
    }
    write_text(svg, x, y + 10.5, k_legend_font, k_ink, scale.low);
    x += text_width(scale.low, k_legend_font) + 6;
    for (int i = 0; i < steps; ++i) {
        SvgWriter::Attributes step;
        step.set("x", x).set("y", y).set("width", step_width + 0.5).set("height", k_swatch);
        svg.empty("rect", step.set("fill", scale_color(i / (steps - 1.0))));
        x += step_width;
    }
    write_text(svg, x + 6.5, y + 10.5, k_legend_font, k_ink, scale.high);
    return y + k_legend_line;
}

double draw_note(SvgWriter& svg, const std::string& note, double x, double y, double width) {
    for (const std::string& line : wrapped_text(note, k_note_font, width)) {
        write_text(svg, x, y + 11, k_note_font, k_quiet_ink, line);
        y += k_note_line;
    }
    return y;
}

std::string finish_page(const PageFrame& frame, SvgWriter body) {
    SvgWriter svg;
    SvgWriter::Attributes root;
    root.set("xmlns", "http://www.w3.org/2000/svg").set("width", frame.width).set("height", frame.height);
    root.set("viewBox", "0 0 " + coordinate_text(frame.width) + " " + coordinate_text(frame.height));
    root.set("role", "graphics-document document").set("aria-label", frame.title);
    root.set("font-family", "'DejaVu Sans', Verdana, 'Liberation Sans', Arial, sans-serif");
    svg.open("svg", root);
    svg.text("title", {}, frame.title);
    svg.text("desc", {}, frame.description);
    SvgWriter::Attributes paper;
    svg.empty("rect", paper.set("width", "100%").set("height", "100%").set("fill", k_white));
    svg.insert(std::move(body).finish());
    svg.close();
    return std::move(svg).finish();
}

}  // namespace regrove::draw
