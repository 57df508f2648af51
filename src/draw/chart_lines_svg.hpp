// The inside of a line chart in SVG: lines, their error bars and dots, and the mark.
#pragma once

#include "regrove/draw/svg_writer.hpp"

#include "chart_scales.hpp"

namespace regrove::draw {

/// The plot's place on the page: its upper left corner, and the axes that its numbers go by.
struct Plot {
    double x = 0;
    double y = 0;
    Axis across;
    Axis up;
    double place_x(double value) const { return x + across.place(value); }
    double place_y(double value) const { return y + k_plot_height - up.place(value); }
};

/// What a line's error bars become when there is no room between them; nothing else. Drawn before all lines.
void draw_error_band(SvgWriter& svg, const ChartLine& line, Color color, const Plot& plot);
void draw_chart_line(SvgWriter& svg, const ChartLine& line, Color color, const Plot& plot);
void draw_chart_mark(SvgWriter& svg, const ChartMark& mark, const Plot& plot);

/// The signs of the legend, centred at a place, `k_sign_width` wide.
constexpr double k_sign_width = 26;
void draw_line_sign(SvgWriter& svg, const ChartLine& line, Color color, double x, double y);
void draw_mark_sign(SvgWriter& svg, double x, double y);

}  // namespace regrove::draw
