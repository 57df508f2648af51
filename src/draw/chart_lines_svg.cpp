// A line is one path; with few points each has a dot that tells its numbers on hover, with many there is no room.
#include "chart_lines_svg.hpp"

#include "regrove/draw/figure_text.hpp"

#include "ink.hpp"

namespace regrove::draw {
namespace {

constexpr double k_line_width = 2;
constexpr double k_dot = 3.2;
constexpr double k_cap = 4;  ///< half the width of an error bar's ends
constexpr std::size_t k_most_dots = 80;
constexpr unsigned k_bar_percent = 55;   ///< of the line's colour, the rest white
constexpr unsigned k_band_percent = 22;  ///< likewise

std::string xy(double x, double y) { return coordinate_text(x) + " " + coordinate_text(y); }

std::string line_path(const ChartLine& line, const Plot& plot) {
    std::string path;
    double before = 0;
    for (const ChartPoint& point : line.points) {
        const double x = plot.place_x(point.x);
        const double y = plot.place_y(point.y);
        if (path.empty())
            path = "M" + xy(x, y);
        else if (line.steps)
            path += " L" + xy(x, before) + " L" + xy(x, y);
        else
            path += " L" + xy(x, y);
        before = y;
    }
    return path;
}

void stroke_path(SvgWriter& svg, const std::string& path, Color color, double width) {
    SvgWriter::Attributes attributes;
    attributes.set("d", path).set("fill", "none").set("stroke", color).set("stroke-width", width);
    svg.empty("path", attributes.set("stroke-linejoin", "round"));
}

void draw_error_bars(SvgWriter& svg, const ChartLine& line, Color color, const Plot& plot) {
    std::string path;
    for (const ChartPoint& point : line.points) {
        if (!(point.error > 0)) continue;
        const double x = plot.place_x(point.x);
        const double low = plot.place_y(point.y - point.error);
        const double high = plot.place_y(point.y + point.error);
        path += (path.empty() ? "M" : " M") + xy(x - k_cap, low) + " H" + coordinate_text(x + k_cap);
        path += " M" + xy(x, low) + " V" + coordinate_text(high);
        path += " M" + xy(x - k_cap, high) + " H" + coordinate_text(x + k_cap);
    }
    if (!path.empty()) stroke_path(svg, path, mix(color, k_white, k_bar_percent), 1.25);
}

bool is_roomy(const ChartLine& line) { return line.points.size() <= k_most_dots; }

bool has_dots(const ChartLine& line) { return line.points.size() == 1 || (line.dots && is_roomy(line)); }

std::string point_words(const ChartLine& line, const ChartPoint& point) {
    std::string words = line.name.empty() ? "" : line.name + ": ";
    words += value_text(point.y);
    if (point.error > 0) words += " ± " + value_text(point.error);
    return words + " at " + value_text(point.x);
}

void draw_dots(SvgWriter& svg, const ChartLine& line, Color color, const Plot& plot) {
    for (const ChartPoint& point : line.points) {
        SvgWriter::Attributes dot;
        dot.set("cx", plot.place_x(point.x)).set("cy", plot.place_y(point.y)).set("r", k_dot);
        svg.open("circle", dot.set("fill", color).set("stroke", k_white).set("stroke-width", 0.8));
        svg.text("title", {}, point_words(line, point));
        svg.close();
    }
}

void draw_ring(SvgWriter& svg, double x, double y, double radius) {
    SvgWriter::Attributes ring;
    ring.set("cx", x).set("cy", y).set("r", radius).set("fill", "none").set("stroke", k_ink);
    svg.empty("circle", ring.set("stroke-width", 2.0));
}

}  // namespace

void draw_error_band(SvgWriter& svg, const ChartLine& line, Color color, const Plot& plot) {
    if (is_roomy(line)) return;
    ChartLine upper = line;
    ChartLine lower = line;
    bool any = false;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        upper.points[i].y += line.points[i].error;
        lower.points[i].y -= line.points[i].error;
        any = any || line.points[i].error > 0;
    }
    if (!any) return;
    // The lower edge backwards: steps then change y first, which is the same outline read from the other end.
    std::string path = line_path(upper, plot);
    for (std::size_t i = lower.points.size(); i-- > 0;) {
        const ChartPoint& point = lower.points[i];
        path += " L" + xy(plot.place_x(point.x), plot.place_y(point.y));
        if (line.steps && i > 0) path += " L" + xy(plot.place_x(point.x), plot.place_y(lower.points[i - 1].y));
    }
    SvgWriter::Attributes attributes;
    svg.empty("path", attributes.set("d", path + " Z").set("fill", mix(color, k_white, k_band_percent)));
}

void draw_chart_line(SvgWriter& svg, const ChartLine& line, Color color, const Plot& plot) {
    if (line.points.empty()) return;
    SvgWriter::Attributes group;
    if (!line.name.empty()) group.set("role", "group").set("aria-label", line.name);
    svg.open("g", group);
    if (is_roomy(line)) draw_error_bars(svg, line, color, plot);
    stroke_path(svg, line_path(line, plot), color, k_line_width);
    if (has_dots(line)) draw_dots(svg, line, color, plot);
    svg.close();
}

void draw_chart_mark(SvgWriter& svg, const ChartMark& mark, const Plot& plot) {
    const double x = plot.place_x(mark.x);
    SvgWriter::Attributes down;
    down.set("d", "M" + xy(x, plot.place_y(mark.y) + 7) + " V" + coordinate_text(plot.y + k_plot_height));
    down.set("fill", "none").set("stroke", k_ink).set("stroke-width", 1.0).set("stroke-dasharray", "2 3");
    if (plot.place_y(mark.y) + 7 < plot.y + k_plot_height) svg.empty("path", down);
    draw_ring(svg, x, plot.place_y(mark.y), 7);
}

void draw_line_sign(SvgWriter& svg, const ChartLine& line, Color color, double x, double y) {
    stroke_path(svg, "M" + xy(x - k_sign_width / 2, y) + " H" + coordinate_text(x + k_sign_width / 2), color,
                k_line_width);
    if (!has_dots(line)) return;
    SvgWriter::Attributes dot;
    svg.empty("circle", dot.set("cx", x).set("cy", y).set("r", k_dot).set("fill", color));
}

void draw_mark_sign(SvgWriter& svg, double x, double y) { draw_ring(svg, x, y, 5); }

}  // namespace regrove::draw
