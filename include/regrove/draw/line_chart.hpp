// A chart of named lines over one x axis: curves of a path, of learning, of validation.
//
// Glossary: a line's points stand in order of x; an error bar reaches `error` up and down from its point; the mark is
// the one place that the chart is about ("chosen: alpha 0.012").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::draw {

enum class AxisScale : std::uint8_t {
    linear,
    logarithmic,  ///< points at x = 0 stand at the left end, under a tick "0" of their own
};

struct ChartPoint {
    double x = 0;
    double y = 0;
    double error = 0;  ///< half the length of a vertical error bar; 0: none
};

struct ChartLine {
    std::string name;                ///< in the legend; empty: not listed
    std::vector<ChartPoint> points;  ///< x does not fall; finite numbers
    bool steps = false;              ///< y keeps its value until the next x
    bool dots = true;                ///< a dot at each point (left out when they would touch each other)
};

struct ChartMark {
    double x = 0;
    double y = 0;
    std::string text;  ///< in the legend
};

struct LineChart {
    std::string title;
    std::string subtitle;  ///< one line below the title, or empty; shortened when it is wider than the page may be
    std::string x_title;
    std::string y_title;
    AxisScale x_scale = AxisScale::linear;
    bool y_from_zero = false;  ///< the y axis holds 0 although no point does
    std::vector<ChartLine> lines;
    std::optional<ChartMark> mark;
    std::vector<std::string> notes;  ///< below the chart, one paragraph each
};

/// A whole SVG document; the same chart gives the same bytes on every machine. Throws ConfigError when there is no
/// point at all, a number is not finite, x falls within a line, or x is negative on a logarithmic axis.
std::string line_chart_svg(const LineChart& chart);

/// The bytes of the picture in the format that `path` names by its ending (picture_formats.hpp): .svg or .png, "-" is
/// SVG. `scale`: pixels of a PNG for one of the SVG. Throws ConfigError on any other ending.
std::string line_chart_picture(const LineChart& chart, std::string_view path, double scale = 2);
/// Throws as line_chart_picture would because of `path`: to be asked before long work.
void check_chart_path(std::string_view path);

}  // namespace regrove::draw
