// From a chart's numbers to places on paper: the room of the plot and its two axes.
#pragma once

#include <optional>
#include <vector>

#include "regrove/draw/axis_ticks.hpp"
#include "regrove/draw/line_chart.hpp"

namespace regrove::draw {

constexpr double k_plot_width = 640;
constexpr double k_plot_height = 360;

/// One axis: a number's distance in pixels from the low end. Logarithmic: zero has a slot of its own at the low end.
class Axis {
  public:
    /// `values` holds all numbers to be shown, at least one.
    static Axis linear(const std::vector<double>& values, double pixels, unsigned wanted_ticks);
    static Axis logarithmic(const std::vector<double>& values, double pixels, unsigned wanted_ticks);

    double place(double value) const;
    const std::vector<AxisTick>& ticks() const { return ticks_; }
    /// Where the axis is broken between zero and the positive numbers.
    std::optional<double> gap() const { return gap_; }

  private:
    std::vector<AxisTick> ticks_;
    std::optional<double> gap_;
    bool logarithmic_ = false;
    double low_ = 0;
    double high_ = 1;
    double start_ = 0;  ///< pixels before `low_`
    double pixels_ = 0;
};

/// The axis on which all lines' points and the mark have room.
Axis x_axis(const LineChart& chart);
Axis y_axis(const LineChart& chart);

}  // namespace regrove::draw
