// The page around a line chart: title and legend above, axes with titles around the plot, notes below.
#include "regrove/draw/line_chart.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"
#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/picture_formats.hpp"
#include "regrove/draw/png.hpp"

#include "chart_lines_svg.hpp"
#include "page_svg.hpp"

namespace regrove::draw {
namespace {

constexpr double k_legend_line = 20;
constexpr double k_widest_heading = 1000;
constexpr double k_end_room = 16;  ///< right of the plot: half of the last tick's text
constexpr Font k_axis_font{12, FontWeight::bold};
constexpr Font k_tick_font{11};

void require(bool holds, const std::string& chart, const std::string& rule) {
    if (!holds) throw ConfigError("chart '" + chart + "': " + rule);
}

void check(const LineChart& chart) {
    const bool logarithmic = chart.x_scale == AxisScale::logarithmic;
    bool any = false;
    for (const ChartLine& line : chart.lines) {
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            const ChartPoint& point = line.points[i];
            any = true;
            require(std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.error), chart.title,
                    "line '" + line.name + "' has a number that is not finite");
            require(point.error >= 0, chart.title, "line '" + line.name + "' has a negative error");
            require(i == 0 || line.points[i - 1].x <= point.x, chart.title,
                    "x falls within line '" + line.name + "'");
            require(!logarithmic || point.x >= 0, chart.title, "a negative x has no place on a logarithmic axis");
        }
    }
    require(any, chart.title, "there is no point to draw");
    if (!chart.mark) return;
    require(std::isfinite(chart.mark->x) && std::isfinite(chart.mark->y), chart.title, "the mark is not finite");
    require(!logarithmic || chart.mark->x >= 0, chart.title, "a negative x has no place on a logarithmic axis");
}

// Room for the y axis' title and figures, left of the plot.
double left_room(const LineChart& chart, const Axis& up) {
    double figures = 0;
    for (const AxisTick& tick : up.ticks()) figures = std::max(figures, text_width(tick.text, k_tick_font));
    return std::ceil(figures) + 10 + (chart.y_title.empty() ? 0 : 24);
}

struct LegendSign {
    const ChartLine* line = nullptr;  ///< null: the mark
    Color color;
    std::string text;
};

std::vector<LegendSign> signs_of(const LineChart& chart, const std::vector<Color>& colors) {
    std::vector<LegendSign> signs;
    for (std::size_t i = 0; i < chart.lines.size(); ++i)
        if (!chart.lines[i].name.empty())
            signs.push_back({&chart.lines[i], colors[i], clean_text(chart.lines[i].name)});
    if (chart.mark && !chart.mark->text.empty()) signs.push_back({nullptr, k_ink, clean_text(chart.mark->text)});
    return signs;
}

double draw_signs(SvgWriter& svg, const std::vector<LegendSign>& signs, double y, double page_width) {
    double x = k_margin;
    for (const LegendSign& sign : signs) {
        const double width = k_sign_width + 6 + text_width(sign.text, k_legend_font);
        if (x > k_margin && x + width > page_width - k_margin) {
            x = k_margin;
            y += k_legend_line;
        }
        if (sign.line != nullptr)
            draw_line_sign(svg, *sign.line, sign.color, x + k_sign_width / 2, y + 6);
        else
            draw_mark_sign(svg, x + k_sign_width / 2, y + 6);
        write_text(svg, x + k_sign_width + 6, y + 10.5, k_legend_font, k_ink, sign.text);
        x += width + 20;
    }
    return signs.empty() ? y : y + k_legend_line;
}

void draw_rule(SvgWriter& svg, const std::string& path, Color color) {
    SvgWriter::Attributes rule;
    svg.empty("path", rule.set("d", path).set("fill", "none").set("stroke", color).set("stroke-width", 1.0));
}

void draw_y_axis(SvgWriter& svg, const LineChart& chart, const Plot& plot) {
    for (const AxisTick& tick : plot.up.ticks()) {
        const double y = plot.place_y(tick.value);
        draw_rule(
            svg,
            "M" + coordinate_text(plot.x) + " " + coordinate_text(y) + " H" + coordinate_text(plot.x + k_plot_width),
            k_track);
        write_text(svg, plot.x - 8, y + 4, k_tick_font, k_quiet_ink, tick.text, TextAnchor::end);
    }
    if (chart.y_title.empty()) return;
    const std::string x = coordinate_text(k_margin + 10);
    const std::string y = coordinate_text(plot.y + k_plot_height / 2);
    SvgWriter::Attributes turned;
    svg.open("g", turned.set("transform", "translate(" + x + " " + y + ") rotate(-90)"));
    write_text(svg, 0, 0, k_axis_font, k_ink, shortened(clean_text(chart.y_title), k_axis_font, k_plot_height),
               TextAnchor::middle);
    svg.close();
}

// Two strokes across the axis where it is broken between zero and the positive numbers.
void draw_axis_gap(SvgWriter& svg, double x, double y) {
    for (const double shift : {-3.0, 3.0}) {
        const std::string from = coordinate_text(x + shift - 3) + " " + coordinate_text(y + 5);
        const std::string to = coordinate_text(x + shift + 3) + " " + coordinate_text(y - 5);
        draw_rule(svg, std::string("M").append(from).append(" L").append(to), k_quiet_ink);
    }
}

void draw_x_axis(SvgWriter& svg, const LineChart& chart, const Plot& plot) {
    const double floor = plot.y + k_plot_height;
    draw_rule(
        svg,
        "M" + coordinate_text(plot.x) + " " + coordinate_text(floor) + " H" + coordinate_text(plot.x + k_plot_width),
        k_quiet_ink);
    for (const AxisTick& tick : plot.across.ticks()) {
        const double x = plot.place_x(tick.value);
        draw_rule(svg, "M" + coordinate_text(x) + " " + coordinate_text(floor) + " V" + coordinate_text(floor + 5),
                  k_quiet_ink);
        write_text(svg, x, floor + 18, k_tick_font, k_quiet_ink, tick.text, TextAnchor::middle);
    }
    if (const auto gap = plot.across.gap()) draw_axis_gap(svg, plot.x + *gap, floor);
    write_text(svg, plot.x + k_plot_width / 2, floor + 38, k_axis_font, k_ink,
               shortened(clean_text(chart.x_title), k_axis_font, k_plot_width), TextAnchor::middle);
}

// Everything but the document around it; returns the page's height.
double draw_page(SvgWriter& svg, const LineChart& chart, Plot& plot, double width) {
    const double room = width - 2 * k_margin;
    draw_heading(svg, shortened(clean_text(chart.title), k_title_font, room),
                 shortened(clean_text(chart.subtitle), k_subtitle_font, room));
    const std::vector<Color> colors = class_colors(std::vector<double>(chart.lines.size(), 1));
    plot.y = draw_signs(svg, signs_of(chart, colors), k_margin + k_heading_height, width) + 12;
    draw_y_axis(svg, chart, plot);
    draw_x_axis(svg, chart, plot);
    for (std::size_t i = 0; i < chart.lines.size(); ++i) draw_error_band(svg, chart.lines[i], colors[i], plot);
    for (std::size_t i = 0; i < chart.lines.size(); ++i) draw_chart_line(svg, chart.lines[i], colors[i], plot);
    if (chart.mark) draw_chart_mark(svg, *chart.mark, plot);
    double y = plot.y + k_plot_height + 54;
    for (const std::string& note : chart.notes) y = draw_note(svg, clean_text(note), k_margin, y, room);
    return y + k_margin - 8;
}

std::string description(const LineChart& chart) {
    std::string text = chart.y_title + " over " + chart.x_title + ".";
    if (!chart.subtitle.empty()) text = chart.subtitle + ". " + text;
    if (chart.mark && !chart.mark->text.empty()) text += " Marked: " + chart.mark->text + ".";
    for (const std::string& note : chart.notes) text += " " + note;
    return clean_text(text);
}

}  // namespace

std::string line_chart_svg(const LineChart& chart) {
    check(chart);
    Plot plot{0, 0, x_axis(chart), y_axis(chart)};
    plot.x = k_margin + left_room(chart, plot.up);
    const double plot_width = plot.x + k_plot_width + k_end_room;
    const double heading = k_margin + heading_width(clean_text(chart.title), clean_text(chart.subtitle));
    const double width = std::ceil(std::max(plot_width, std::min(heading, k_widest_heading)) + k_margin);
    SvgWriter body;
    const double height = std::ceil(draw_page(body, chart, plot, width));
    return finish_page({width, height, clean_text(chart.title), description(chart)}, std::move(body));
}

void check_chart_path(std::string_view path) {
    if (picture_format("", path).name == "dot")
        throw ConfigError("picture: '" + std::string(path) +
                          "' names a graph format, which cannot hold a chart; end it in .svg or .png");
}

std::string line_chart_picture(const LineChart& chart, std::string_view path, double scale) {
    check_chart_path(path);
    std::string svg = line_chart_svg(chart);
    return picture_format("", path).name == "png" ? png_from_svg(svg, scale) : svg;
}

}  // namespace regrove::draw
