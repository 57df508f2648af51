// Three columns: labels, bars over a common axis, figures; the page of all pictures around them.
#include "regrove/draw/bar_chart.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/draw/axis_ticks.hpp"
#include "regrove/draw/clean_text.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/draw/line_chart.hpp"
#include "regrove/draw/picture_formats.hpp"
#include "regrove/draw/png.hpp"

#include "page_svg.hpp"

namespace regrove::draw {
namespace {

constexpr double k_bars_width = 420;
constexpr double k_widest_label = 260;
constexpr double k_row_height = 24;
constexpr double k_bar_height = 14;
constexpr double k_column_gap = 12;
constexpr double k_cap = 3;  ///< half the height of an error bar's end
constexpr unsigned k_wanted_ticks = 5;
constexpr Font k_label_font{12};
constexpr Font k_figure_font{11};
constexpr Font k_tick_font{11};
constexpr Font k_axis_font{12, FontWeight::bold};
constexpr Color k_positive{0x00, 0x72, 0xB2};
constexpr Color k_negative{0xD5, 0x5E, 0x00};

std::string figures(const Bar& bar) {
    if (!std::isfinite(bar.value)) return "undefined";
    const std::string value = value_text(bar.value);
    return bar.error && std::isfinite(*bar.error) ? value + " ± " + error_text(*bar.error) : value;
}

double error_of(const Bar& bar) { return bar.error && std::isfinite(*bar.error) ? std::abs(*bar.error) : 0; }

/// Places on the page, in pixels.
struct Columns {
    double bars = 0;  ///< left edge of the plot
    double figures = 0;
    double page = 0;  ///< width of the page
    double low = 0;   ///< values at the plot's ends
    double high = 1;
    std::vector<AxisTick> ticks;

    /// In halves, so that the widest range of doubles does not overflow.
    double place(double value) const { return bars + (value / 2 - low / 2) / (high / 2 - low / 2) * k_bars_width; }
};

Columns measure(const BarChart& chart) {
    Columns columns;
    double label = 0;
    double figure = 0;
    double low = 0;
    double high = 0;
    for (const Bar& bar : chart.bars) {
        label =
            std::max(label, text_width(shortened(clean_text(bar.label), k_label_font, k_widest_label), k_label_font));
        figure = std::max(figure, text_width(figures(bar), k_figure_font));
        if (!std::isfinite(bar.value)) continue;
        low = std::min(low, bar.value - error_of(bar));
        high = std::max(high, bar.value + error_of(bar));
    }
    if (low == high) high = 1;
    columns.ticks = linear_ticks(low, high, k_wanted_ticks);
    columns.low = columns.ticks.front().value;
    columns.high = columns.ticks.back().value;
    columns.bars = k_margin + std::ceil(label) + k_column_gap;
    columns.figures = columns.bars + k_bars_width + k_column_gap;
    // The last tick's text is centred on the plot's end.
    const double tick_room = text_width(columns.ticks.back().text, k_tick_font) / 2 - k_column_gap;
    const double content = columns.figures + std::max(figure, tick_room) - k_margin;
    columns.page = std::ceil(std::max(content, heading_width(clean_text(chart.title), clean_text(chart.subtitle))) +
                             2 * k_margin);
    return columns;
}

void draw_line(SvgWriter& svg, double x1, double y1, double x2, double y2, Color color, double width) {
    SvgWriter::Attributes line;
    line.set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2);
    svg.empty("line", line.set("stroke", color).set("stroke-width", width));
}

void draw_grid(SvgWriter& svg, const BarChart& chart, const Columns& columns, double top, double bottom) {
    for (const AxisTick& tick : columns.ticks) {
        const double x = columns.place(tick.value);
        draw_line(svg, x, top, x, bottom, tick.value == 0 ? k_border : k_track, 1);
        write_text(svg, x, bottom + 16, k_tick_font, k_quiet_ink, tick.text, TextAnchor::middle);
    }
    if (chart.value_title.empty()) return;
    const std::string title = shortened(clean_text(chart.value_title), k_axis_font, columns.page - 2 * k_margin);
    // Centred on the plot as far as the page allows.
    const double half = text_width(title, k_axis_font) / 2;
    const double middle = columns.bars + k_bars_width / 2;
    const double x = std::clamp(middle, std::min(middle, k_margin + half),
                                std::max(k_margin + half, columns.page - k_margin - half));
    write_text(svg, x, bottom + 36, k_axis_font, k_ink, title, TextAnchor::middle);
}

// The line with its two ends; on a white edge, to be seen on the bar.
void draw_error(SvgWriter& svg, const Bar& bar, const Columns& columns, double middle) {
    if (error_of(bar) == 0) return;
    const double from = columns.place(bar.value - error_of(bar));
    const double to = columns.place(bar.value + error_of(bar));
    draw_line(svg, from, middle, to, middle, k_white, 3);
    draw_line(svg, from, middle, to, middle, k_ink, 1.2);
    for (const double end : {from, to}) draw_line(svg, end, middle - k_cap, end, middle + k_cap, k_ink, 1.2);
}

void draw_bar(SvgWriter& svg, const Bar& bar, const Columns& columns, double top) {
    const std::string label = clean_text(bar.label);
    const double middle = top + k_row_height / 2;
    SvgWriter::Attributes group;
    svg.open("g", group.set("role", "group"));
    svg.text("title", {}, bar.details.empty() ? label + ": " + figures(bar) : bar.details);
    write_text(svg, columns.bars - k_column_gap, middle + 4, k_label_font, k_ink,
               shortened(label, k_label_font, k_widest_label), TextAnchor::end);
    if (std::isfinite(bar.value)) {
        const double zero = columns.place(0);
        const double end = columns.place(bar.value);
        SvgWriter::Attributes body;
        body.set("x", std::min(zero, end)).set("y", middle - k_bar_height / 2).set("width", std::abs(end - zero));
        body.set("height", k_bar_height).set("fill", bar.color.value_or(bar.value < 0 ? k_negative : k_positive));
        svg.empty("rect", body);
        draw_error(svg, bar, columns, middle);
    }
    write_text(svg, columns.figures, middle + 4, k_figure_font, k_quiet_ink, figures(bar));
    svg.close();
}

// Everything but the root element, whose height is known only at the end.
double draw_page(SvgWriter& svg, const BarChart& chart, const Columns& columns) {
    draw_heading(svg, clean_text(chart.title), clean_text(chart.subtitle));
    std::vector<LegendEntry> legend = chart.legend;
    for (LegendEntry& entry : legend) entry.text = clean_text(entry.text);
    double y = draw_legend(svg, legend, k_margin + k_heading_height, columns.page) + 8;
    if (chart.bars.empty()) {
        y = draw_note(svg, "There is nothing to show.", k_margin, y, columns.page - 2 * k_margin);
    } else {
        const double bottom = y + k_row_height * static_cast<double>(chart.bars.size());
        draw_grid(svg, chart, columns, y, bottom);
        for (const Bar& bar : chart.bars) {
            draw_bar(svg, bar, columns, y);
            y += k_row_height;
        }
        y = bottom + (chart.value_title.empty() ? 28 : 50);
    }
    for (const std::string& note : chart.notes)
        y = draw_note(svg, clean_text(note), k_margin, y, columns.page - 2 * k_margin);
    return std::ceil(y + k_margin - 8);
}

std::string description(const BarChart& chart) {
    std::string text = chart.subtitle.empty() ? "" : chart.subtitle + ". ";
    for (const Bar& bar : chart.bars) text += bar.label + ": " + figures(bar) + ". ";
    for (const std::string& note : chart.notes) text += note + " ";
    return clean_text(text);
}

}  // namespace

std::string bar_chart_svg(const BarChart& chart) {
    const Columns columns = measure(chart);
    SvgWriter body;
    const double height = draw_page(body, chart, columns);
    return finish_page({columns.page, height, clean_text(chart.title), description(chart)}, std::move(body));
}

std::string bar_chart_picture(const BarChart& chart, std::string_view path, double scale) {
    check_chart_path(path);
    std::string svg = bar_chart_svg(chart);
    return picture_format("", path).name == "png" ? png_from_svg(svg, scale) : svg;
}

}  // namespace regrove::draw
