// From the ground up: regions, borders, points, axes; the page of all pictures around them.
#include "regrove/draw/region_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/draw/axis_ticks.hpp"
#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/color.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/draw/picture_formats.hpp"
#include "regrove/draw/png.hpp"

#include "page_svg.hpp"

namespace regrove::draw {
namespace {

constexpr double k_width = 560;  // of the plane
constexpr double k_height = 440;
constexpr double k_tick = 5;
constexpr double k_point_radius = 2.75;
constexpr unsigned k_wanted_ticks = 6;
constexpr unsigned k_palest = 18;  // percent of the class's colour, the rest white
constexpr unsigned k_fullest = 62;
constexpr Font k_tick_font{11};
constexpr Font k_axis_font{12, FontWeight::bold};

/// Places and colours of one map.
class Scene {
  public:
    explicit Scene(const RegionMap& map) : map_(map), colors_(class_colors(map.class_weights)) {
        x_ticks_ = inner_ticks(map.across);
        y_ticks_ = inner_ticks(map.up);
        double widest = 0;
        for (const AxisTick& tick : y_ticks_) widest = std::max(widest, text_width(tick.text, k_tick_font));
        left_ = k_margin + k_axis_font.size + 10 + std::ceil(widest) + k_tick + 4;
        if (!map.classes.empty()) return;
        low_ = std::numeric_limits<double>::infinity();
        high_ = -low_;
        for (const MapRegion& region : map.regions) widen(region.answer.value);
        for (const MapPoint& point : map.points) widen(point.truth.value);
    }

    const std::vector<AxisTick>& x_ticks() const { return x_ticks_; }
    const std::vector<AxisTick>& y_ticks() const { return y_ticks_; }
    const std::vector<Color>& colors() const { return colors_; }
    double left() const { return left_; }
    double low() const { return low_; }
    double high() const { return high_; }

    double x(double value) const { return left_ + share(map_.across, value) * k_width; }
    /// From the plane's upper edge down.
    double y(double value) const { return (1 - share(map_.up, value)) * k_height; }
    bool holds(double x, double y) const {
        return x >= map_.across.low && x <= map_.across.high && y >= map_.up.low && y <= map_.up.high;
    }

    Color full_color(const MapAnswer& answer) const {
        if (!map_.classes.empty()) return colors_[answer.class_index];
        return scale_color(high_ > low_ ? (answer.value / 2 - low_ / 2) / (high_ / 2 - low_ / 2) : 0.5);
    }
    /// A class's colour is the paler the nearer its share is to an equal one.
    Color ground_color(const MapAnswer& answer) const {
        if (map_.classes.empty()) return full_color(answer);
        const double equal = 1 / static_cast<double>(map_.classes.size());
        const double certainty =
            map_.classes.size() < 2 ? 1 : std::clamp((answer.share - equal) / (1 - equal), 0.0, 1.0);
        const auto percent = k_palest + static_cast<unsigned>(std::floor(certainty * (k_fullest - k_palest) + 0.5));
        return mix(colors_[answer.class_index], k_white, percent);
    }

  private:
    static double share(const MapAxis& axis, double value) {
        // In halves, so that the widest range of doubles does not overflow.
        return (value / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2);
    }
    static std::vector<AxisTick> inner_ticks(const MapAxis& axis) {
        auto ticks = linear_ticks(axis.low, axis.high, k_wanted_ticks);
        std::erase_if(ticks, [&](const AxisTick& tick) { return tick.value < axis.low || tick.value > axis.high; });
        return ticks;
    }
    void widen(double value) {
        low_ = std::min(low_, value);
        high_ = std::max(high_, value);
    }

    const RegionMap& map_;
    std::vector<Color> colors_;
    std::vector<AxisTick> x_ticks_;
    std::vector<AxisTick> y_ticks_;
    double left_ = 0;
    double low_ = 0;
    double high_ = 0;
};

void draw_line(SvgWriter& svg, double x1, double y1, double x2, double y2, Color color, double width) {
    SvgWriter::Attributes line;
    line.set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).set("stroke-linecap", "square");
    svg.empty("line", line.set("stroke", color).set("stroke-width", width));
}

void draw_regions(SvgWriter& svg, const RegionMap& map, const Scene& scene, double top) {
    for (const MapRegion& region : map.regions) {
        const double left = scene.x(region.x_low);
        const double upper = top + scene.y(region.y_high);
        const Color color = scene.ground_color(region.answer);
        SvgWriter::Attributes rectangle;
        rectangle.set("x", left).set("y", upper).set("width", scene.x(region.x_high) - left);
        rectangle.set("height", top + scene.y(region.y_low) - upper).set("fill", color);
        // A line of its own colour closes the seam that smoothing leaves between neighbours.
        rectangle.set("stroke", map.outlined ? k_white : color).set("stroke-width", map.outlined ? 1.5 : 0.5);
        if (region.details.empty()) {
            svg.empty("rect", rectangle);
        } else {
            svg.open("rect", rectangle);
            svg.text("title", {}, region.details);
            svg.close();
        }
    }
}

void draw_borders(SvgWriter& svg, const RegionMap& map, const Scene& scene, double top) {
    for (const MapBorder& border : map.borders)
        draw_line(svg, scene.x(border.x_from), top + scene.y(border.y_from), scene.x(border.x_to),
                  top + scene.y(border.y_to), k_ink, 1.5);
}

void draw_points(SvgWriter& svg, const RegionMap& map, const Scene& scene, double top) {
    for (const MapPoint& point : map.points) {
        if (!scene.holds(point.x, point.y)) continue;
        SvgWriter::Attributes circle;
        circle.set("cx", scene.x(point.x)).set("cy", top + scene.y(point.y)).set("r", k_point_radius);
        circle.set("fill", scene.full_color(point.truth)).set("stroke", k_white).set("stroke-width", 0.6);
        svg.empty("circle", circle);
    }
}

void draw_axes(SvgWriter& svg, const RegionMap& map, const Scene& scene, double top) {
    const double bottom = top + k_height;
    SvgWriter::Attributes frame;
    frame.set("x", scene.left()).set("y", top).set("width", k_width).set("height", k_height);
    svg.empty("rect", frame.set("fill", "none").set("stroke", k_border));
    for (const AxisTick& tick : scene.x_ticks()) {
        const double x = scene.x(tick.value);
        draw_line(svg, x, bottom, x, bottom + k_tick, k_border, 1);
        write_text(svg, x, bottom + k_tick + 13, k_tick_font, k_quiet_ink, tick.text, TextAnchor::middle);
    }
    for (const AxisTick& tick : scene.y_ticks()) {
        const double y = top + scene.y(tick.value);
        draw_line(svg, scene.left() - k_tick, y, scene.left(), y, k_border, 1);
        write_text(svg, scene.left() - k_tick - 4, y + 4, k_tick_font, k_quiet_ink, tick.text, TextAnchor::end);
    }
    write_text(svg, scene.left() + k_width / 2, bottom + 38, k_axis_font, k_ink,
               shortened(clean_text(map.across.name), k_axis_font, k_width), TextAnchor::middle);
    SvgWriter::Attributes turned;
    turned.set("transform", "translate(" + coordinate_text(k_margin + k_axis_font.size) + " " +
                                coordinate_text(top + k_height / 2) + ") rotate(-90)");
    svg.open("g", turned);
    write_text(svg, 0, 0, k_axis_font, k_ink, shortened(clean_text(map.up.name), k_axis_font, k_height),
               TextAnchor::middle);
    svg.close();
}

double draw_key(SvgWriter& svg, const RegionMap& map, const Scene& scene, double page_width) {
    const double y = k_margin + k_heading_height;
    if (map.classes.empty())
        return draw_scale(svg, {clean_text(map.value_name), value_text(scene.low()), value_text(scene.high())}, y);
    // As in the picture of a tree: classes that share one colour share one entry.
    std::vector<LegendEntry> legend;
    bool others = false;
    for (std::size_t k = 0; k < map.classes.size(); ++k) {
        if (scene.colors()[k] == k_other_classes && map.classes.size() > 1)
            others = true;
        else
            legend.push_back({scene.colors()[k], clean_text(map.classes[k])});
    }
    if (others) legend.push_back({k_other_classes, "other classes"});
    return draw_legend(svg, legend, y, page_width);
}

// Everything but the root element, whose height is known only at the end.
double draw_page(SvgWriter& svg, const RegionMap& map, const Scene& scene, double width) {
    draw_heading(svg, clean_text(map.title), clean_text(map.subtitle));
    const double top = draw_key(svg, map, scene, width) + 8;
    draw_regions(svg, map, scene, top);
    draw_borders(svg, map, scene, top);
    draw_points(svg, map, scene, top);
    draw_axes(svg, map, scene, top);
    double y = top + k_height + 52;
    for (const std::string& note : map.notes) y = draw_note(svg, clean_text(note), k_margin, y, width - 2 * k_margin);
    return std::ceil(y + k_margin - 8);
}

std::string description(const RegionMap& map) {
    std::string text = map.subtitle.empty() ? "" : map.subtitle + ". ";
    text += "Across: " + map.across.name + "; up: " + map.up.name + ".";
    for (const std::string& note : map.notes) text += " " + note;
    return clean_text(text);
}

}  // namespace

std::string region_map_svg(const RegionMap& map) {
    const Scene scene(map);
    const double heading = heading_width(clean_text(map.title), clean_text(map.subtitle));
    const double width = std::ceil(std::max(scene.left() + k_width, k_margin + heading) + k_margin);
    SvgWriter body;
    const double height = draw_page(body, map, scene, width);
    return finish_page({width, height, clean_text(map.title), description(map)}, std::move(body));
}

std::string region_map_picture(const RegionMap& map, std::string_view path, double scale) {
    check_chart_path(path);
    std::string svg = region_map_svg(map);
    return picture_format("", path).name == "png" ? png_from_svg(svg, scale) : svg;
}

}  // namespace regrove::draw
