// Linear axes end at ticks; logarithmic ones where the numbers end, with the portable logarithm.
#include "chart_scales.hpp"

#include <algorithm>

#include "regrove/core/portable_math.hpp"

namespace regrove::draw {
namespace {

constexpr double k_zero_slot = 56;  ///< pixels between zero and the smallest positive number
constexpr unsigned k_x_ticks = 8;
constexpr unsigned k_y_ticks = 6;

}  // namespace

Axis Axis::linear(const std::vector<double>& values, double pixels, unsigned wanted_ticks) {
    Axis axis;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    axis.ticks_ = linear_ticks(*low, *high, wanted_ticks);
    axis.low_ = axis.ticks_.front().value;
    axis.high_ = axis.ticks_.back().value;
    axis.pixels_ = pixels;
    return axis;
}

Axis Axis::logarithmic(const std::vector<double>& values, double pixels, unsigned wanted_ticks) {
    Axis axis;
    axis.logarithmic_ = true;
    double low = 0;
    double high = 0;
    bool zero = false;
    for (const double value : values) {
        if (value == 0) {
            zero = true;
            continue;
        }
        low = low == 0 ? value : std::min(low, value);
        high = std::max(high, value);
    }
    if (high == 0) low = high = 1;  // nothing but zeros
    if (low == high) {
        low /= 3;
        high *= 3;
    }
    if (zero) {
        axis.ticks_.push_back({0, "0"});
        axis.start_ = k_zero_slot;
        axis.gap_ = k_zero_slot / 2;
    }
    for (AxisTick& tick : logarithmic_ticks(low, high, wanted_ticks)) axis.ticks_.push_back(std::move(tick));
    axis.low_ = portable::log(low);
    axis.high_ = portable::log(high);
    axis.pixels_ = pixels - axis.start_;
    return axis;
}

double Axis::place(double value) const {
    if (logarithmic_ && value == 0) return 0;
    const double number = logarithmic_ ? portable::log(value) : value;
    // In halves, so that the widest range of doubles does not overflow.
    return start_ + (number / 2 - low_ / 2) / (high_ / 2 - low_ / 2) * pixels_;
}

Axis x_axis(const LineChart& chart) {
    std::vector<double> values;
    for (const ChartLine& line : chart.lines)
        for (const ChartPoint& point : line.points) values.push_back(point.x);
    if (chart.mark) values.push_back(chart.mark->x);
    if (chart.x_scale == AxisScale::logarithmic) return Axis::logarithmic(values, k_plot_width, k_x_ticks);
    return Axis::linear(values, k_plot_width, k_x_ticks);
}

Axis y_axis(const LineChart& chart) {
    std::vector<double> values;
    for (const ChartLine& line : chart.lines) {
        for (const ChartPoint& point : line.points) {
            values.push_back(point.y - point.error);
            values.push_back(point.y + point.error);
        }
    }
    if (chart.mark) values.push_back(chart.mark->y);
    if (chart.y_from_zero) values.push_back(0);
    return Axis::linear(values, k_plot_height, k_y_ticks);
}

}  // namespace regrove::draw
