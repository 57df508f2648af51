// A grid of panels, each a grid of squares.
#include "regrove/draw/image_map.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/check.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/draw/picture_formats.hpp"
#include "regrove/draw/png.hpp"

#include "page_svg.hpp"

namespace regrove::draw {
namespace {

constexpr Color k_positive{0x05, 0x40, 0xA8};
constexpr Color k_negative{0xC0, 0x10, 0x1C};
constexpr double k_wanted_side = 196;  ///< of a panel's longer side
constexpr double k_panel_gap = 22;
constexpr double k_title_room = 22;
constexpr double k_range_room = 20;
constexpr std::size_t k_panels_a_row = 5;
constexpr Font k_panel_font{13, FontWeight::bold};
constexpr Font k_range_font{11};

double largest(const MapPanel& panel) {
    double size = 0;
    for (const double value : panel.values)
        if (std::isfinite(value)) size = std::max(size, std::abs(value));
    return size;
}

/// White at zero, full colour at `size`, half of it at a quarter: few pixels are nearly as large as the largest.
Color color_of(double value, double size) {
    if (!std::isfinite(value)) return k_border;
    if (size == 0) return k_white;
    const auto percent = static_cast<unsigned>(std::sqrt(std::abs(value) / size) * 100 + 0.5);
    return mix(value < 0 ? k_negative : k_positive, k_white, percent);
}

/// "-0.31 to 1.2": the ends of what the panel shows.
std::string range_of(const MapPanel& panel) {
    double low = 0;
    double high = 0;
    for (const double value : panel.values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return value_text(low) + " to " + value_text(high);
}

/// Places on the page, in pixels.
struct Grid {
    double square = 0;
    double panel_width = 0;
    double panel_height = 0;
    std::size_t columns = 1;

    explicit Grid(const ImageMap& map) {
        square = std::max(2.0, std::floor(k_wanted_side / static_cast<double>(std::max(map.width, map.height))));
        panel_width = square * static_cast<double>(map.width);
        panel_height = square * static_cast<double>(map.height);
        columns = map.columns > 0 ? map.columns : k_panels_a_row;
        columns = std::clamp<std::size_t>(columns, 1, std::max<std::size_t>(map.panels.size(), 1));
    }
    double left(std::size_t panel) const {
        return k_margin + static_cast<double>(panel % columns) * (panel_width + k_panel_gap);
    }
    double row_height() const { return k_title_room + panel_height + k_range_room + 10; }
    double width() const { return static_cast<double>(columns) * (panel_width + k_panel_gap) - k_panel_gap; }
};

void draw_square(SvgWriter& svg, double x, double y, double side, Color color, const std::string& words) {
    SvgWriter::Attributes square;
    square.set("x", x).set("y", y).set("width", side).set("height", side).set("fill", color);
    svg.open("rect", square);
    svg.text("title", {}, words);
    svg.close();
}

void draw_panel(SvgWriter& svg, const ImageMap& map, const MapPanel& panel, const Grid& grid, double x, double y) {
    write_text(svg, x, y + 14, k_panel_font, k_ink,
               shortened(clean_text(panel.title), k_panel_font, grid.panel_width));
    y += k_title_room;
    SvgWriter::Attributes frame;
    frame.set("x", x - 0.5).set("y", y - 0.5).set("width", grid.panel_width + 1).set("height", grid.panel_height + 1);
    svg.empty("rect", frame.set("fill", k_white).set("stroke", k_border));
    SvgWriter::Attributes group;
    svg.open("g", group.set("shape-rendering", "crispEdges"));
    const double size = largest(panel);
    for (std::size_t pixel = 0; pixel < panel.values.size(); ++pixel) {
        const double value = panel.values[pixel];
        if (value == 0) continue;
        const std::string name = map.pixel_names.empty() ? std::to_string(pixel) : map.pixel_names[pixel];
        draw_square(svg, x + grid.square * static_cast<double>(pixel % map.width),
                    y + grid.square * static_cast<double>(pixel / map.width), grid.square, color_of(value, size),
                    clean_text(name) + ": " + to_text(value));
    }
    svg.close();
    write_text(svg, x, y + grid.panel_height + 15, k_range_font, k_quiet_ink, range_of(panel));
}

std::string description(const ImageMap& map) {
    std::string text = map.subtitle.empty() ? "" : map.subtitle + ". ";
    for (const MapPanel& panel : map.panels) text += panel.title + ": " + range_of(panel) + ". ";
    for (const std::string& note : map.notes) text += note + " ";
    return clean_text(text);
}

}  // namespace

std::string image_map_svg(const ImageMap& map) {
    for (const MapPanel& panel : map.panels) REGROVE_CHECK(panel.values.size() == map.height * map.width);
    const Grid grid(map);
    const double page = std::ceil(
        std::max(grid.width(), heading_width(clean_text(map.title), clean_text(map.subtitle))) + 2 * k_margin);
    SvgWriter svg;
    draw_heading(svg, clean_text(map.title), clean_text(map.subtitle));
    const std::vector<LegendEntry> legend{{k_positive, "positive"}, {k_negative, "negative"}};
    double y = draw_legend(svg, legend, k_margin + k_heading_height, page) + 10;
    for (std::size_t panel = 0; panel < map.panels.size(); ++panel) {
        draw_panel(svg, map, map.panels[panel], grid, grid.left(panel), y);
        if ((panel + 1) % grid.columns == 0 || panel + 1 == map.panels.size()) y += grid.row_height();
    }
    for (const std::string& note : map.notes) y = draw_note(svg, clean_text(note), k_margin, y, page - 2 * k_margin);
    return finish_page({page, std::ceil(y + k_margin - 8), clean_text(map.title), description(map)}, std::move(svg));
}

std::string image_map_picture(const ImageMap& map, std::string_view path, double scale) {
    check_chart_path(path);
    std::string svg = image_map_svg(map);
    return picture_format("", path).name == "png" ? png_from_svg(svg, scale) : svg;
}

}  // namespace regrove::draw
