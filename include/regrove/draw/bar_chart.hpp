// A chart of named bars lying side by side: importances, shares, counts; signed, with error bars where wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/draw/color.hpp"
#include "regrove/draw/tree_picture.hpp"

namespace regrove::draw {

struct Bar {
    std::string label;
    double value = 0;             ///< not finite: no bar, "undefined" in its place
    std::optional<double> error;  ///< half the length of the error bar
    std::string details;          ///< what an SVG shows when the pointer rests on the bar; empty: label and figures
    std::optional<Color> color;   ///< else one colour for positive values, another for negative ones
};

struct BarChart {
    std::string title;
    std::string subtitle;             ///< one line below the title, or empty
    std::string value_title;          ///< of the value axis: "impurity decrease, share of all"
    std::vector<LegendEntry> legend;  ///< for bars of several colours
    std::vector<Bar> bars;            ///< from the top down
    std::vector<std::string> notes;   ///< below the chart, one paragraph each
};

/// A whole SVG document; the same chart gives the same bytes on every machine. The value axis holds 0 and every error
/// bar in full. A chart without bars says so.
std::string bar_chart_svg(const BarChart& chart);

/// The bytes of the picture in the format that `path` names by its ending (picture_formats.hpp): .svg or .png, "-" is
/// SVG. `scale`: pixels of a PNG for one of the SVG. Throws ConfigError on any other ending; check_chart_path
/// (line_chart.hpp) does so before long work.
std::string bar_chart_picture(const BarChart& chart, std::string_view path, double scale = 2);

}  // namespace regrove::draw
