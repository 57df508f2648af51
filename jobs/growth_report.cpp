#include "growth_report.hpp"

#include <algorithm>
#include <type_traits>

namespace regrove::jobs {

data::TableShard growth_table(const std::vector<Measured>& all) {
    using data::ColumnType;
    data::TableShard table;
    table.rows = table.global_rows = all.size();
    const auto add = [&](const char* name, auto get) {
        if constexpr (std::is_floating_point_v<decltype(get(all.front()))>) {
            std::vector<double> values;
            for (const Measured& m : all) values.push_back(get(m));
            table.schema.columns.push_back({name, ColumnType::float64, data::ColumnRole::feature, {}});
            table.values.emplace_back(std::move(values));
        } else {
            std::vector<std::int64_t> values;
            for (const Measured& m : all) values.push_back(static_cast<std::int64_t>(get(m)));
            table.schema.columns.push_back({name, ColumnType::int64, data::ColumnRole::feature, {}});
            table.values.emplace_back(std::move(values));
        }
    };
    add("features", [](const Measured& m) { return m.size.features; });
    add("rows", [](const Measured& m) { return m.size.rows; });
    add("trees", [](const Measured& m) { return m.size.trees; });
    add("repeat", [](const Measured& m) { return m.repeat; });
    add("hyperplanes", [](const Measured& m) { return m.hyperplanes; });
    add("log10_cells", [](const Measured& m) { return m.log10_cells; });
    add("depth", [](const Measured& m) { return m.result.tree.depth(); });
    add("leaves", [](const Measured& m) { return m.result.tree.leaves(); });
    add("value", [](const Measured& m) { return m.result.value; });
    add("lower_bound", [](const Measured& m) { return m.result.lower_bound; });
    add("states", [](const Measured& m) { return m.result.figures.states; });
    add("seconds", [](const Measured& m) { return m.seconds; });
    return table;
}

std::vector<double> seconds_at(const std::vector<Measured>& all, std::uint64_t value) {
    std::vector<double> seconds;
    for (const Measured& m : all)
        if (m.value == value) seconds.push_back(m.seconds);
    std::sort(seconds.begin(), seconds.end());
    return seconds;
}

double median(const std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

draw::LineChart growth_chart(const std::vector<Measured>& all, const std::vector<std::uint64_t>& values,
                             const GrowthWords& words) {
    constexpr double k_milliseconds = 1000;
    draw::LineChart chart;
    chart.title = "Time of a born-again search by " + words.vary;
    chart.subtitle =
        "objective " + words.objective + " · " + std::to_string(words.repeats) + " forests for each value";
    chart.x_title = words.vary;
    chart.y_title = "milliseconds";
    chart.y_from_zero = true;
    draw::ChartLine middle{"median", {}, false, true};
    draw::ChartLine fastest{"fastest", {}, false, false};
    draw::ChartLine slowest{"slowest", {}, false, false};
    for (const std::uint64_t value : values) {
        const auto seconds = seconds_at(all, value);
        const auto x = static_cast<double>(value);
        middle.points.push_back({x, median(seconds) * k_milliseconds, 0});
        fastest.points.push_back({x, seconds.front() * k_milliseconds, 0});
        slowest.points.push_back({x, seconds.back() * k_milliseconds, 0});
    }
    chart.lines = {std::move(slowest), std::move(middle), std::move(fastest)};
    return chart;
}

}  // namespace regrove::jobs
