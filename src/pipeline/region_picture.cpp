// From a plane's regions to a map: exact rectangles of a tree, merged cells of a forest, borders, points and words.
#include "regrove/pipeline/region_picture.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/plane_regions.hpp"

#include "region_plane.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::size_t k_most_cells = 1'000'000;  // that are computed
constexpr std::size_t k_most_regions = 50'000;   // that are drawn: some 8 MB of SVG
constexpr double k_share_steps = 40;             // shades of a class in a forest's map
constexpr double k_value_steps = 64;             // likewise of the value scale
constexpr std::size_t k_no_region = static_cast<std::size_t>(-1);
constexpr std::size_t k_names_in_a_note = 12;

bool has_classes(const model::Ensemble& ensemble) { return ensemble.task == model::Task::classification; }

draw::MapAnswer leaf_answer(const model::Ensemble& ensemble, const model::Node& leaf) {
    draw::MapAnswer answer;
    if (!has_classes(ensemble)) {
        answer.value = leaf.value[0];
        return answer;
    }
    double sum = 0;
    for (const double weight : leaf.value) sum += weight;
    const auto heaviest = std::ranges::max_element(leaf.value);
    answer.class_index = static_cast<std::size_t>(heaviest - leaf.value.begin());
    answer.share = sum > 0 ? *heaviest / sum : 1 / static_cast<double>(leaf.value.size());
    return answer;
}

std::string answer_text(const model::Ensemble& ensemble, const draw::MapAnswer& answer) {
    if (!has_classes(ensemble)) return draw::value_text(answer.value);
    return ensemble.classes[answer.class_index] + " " + draw::percent_text(answer.share);
}

void add_tree(draw::RegionMap& map, const model::Ensemble& ensemble, const infer::Plane& plane) {
    const model::Tree& tree = ensemble.trees.front();
    map.outlined = true;
    for (const infer::TreeRegion& region : infer::tree_regions(tree, plane)) {
        const model::Node& leaf = tree.node(region.leaf);
        const draw::MapAnswer answer = leaf_answer(ensemble, leaf);
        map.regions.push_back({region.x_low, region.x_high, region.y_low, region.y_high, answer,
                               answer_text(ensemble, answer) + "\n" + draw::count_text(leaf.rows, "row", "rows") +
                                   " in training\nnode " + std::to_string(index(region.leaf))});
    }
    map.subtitle = draw::count_text(map.regions.size(), "region", "regions") + " of " +
                   draw::count_text(tree.leaf_count(), "leaf", "leaves");
}

/// A grid whose cells have places on the plane.
class PlacedGrid {
  public:
    PlacedGrid(infer::PlaneGrid grid, const infer::Plane& plane)
        : grid_(std::move(grid)),
          x_(ends(grid_.x_cuts, plane.x_low, plane.x_high)),
          y_(ends(grid_.y_cuts, plane.y_low, plane.y_high)) {}

    std::size_t columns() const { return grid_.columns(); }
    std::size_t rows() const { return grid_.rows(); }
    double x(std::size_t column) const { return x_[column]; }
    double y(std::size_t row) const { return y_[row]; }
    std::int32_t class_at(std::size_t row, std::size_t column) const {
        return grid_.classes[row * columns() + column];
    }
    const infer::PlaneGrid& cells() const { return grid_; }

  private:
    static std::vector<double> ends(std::vector<double> cuts, double low, double high) {
        cuts.insert(cuts.begin(), low);
        cuts.push_back(high);
        return cuts;
    }
    infer::PlaneGrid grid_;
    std::vector<double> x_;
    std::vector<double> y_;
};

/// What each cell is drawn as: few enough shades that neighbours can be merged.
std::vector<draw::MapAnswer> shades(const infer::PlaneGrid& grid) {
    std::vector<draw::MapAnswer> answers(grid.columns() * grid.rows());
    for (std::size_t i = 0; i < grid.classes.size(); ++i)
        answers[i] = {static_cast<std::size_t>(grid.classes[i]),
                      std::floor(grid.shares[i] * k_share_steps + 0.5) / k_share_steps, 0};
    if (grid.values.empty()) return answers;
    const auto [low, high] = std::ranges::minmax(grid.values);
    const double step = (high - low) / k_value_steps;
    for (std::size_t i = 0; i < grid.values.size(); ++i)
        answers[i].value = step > 0 ? low + std::floor((grid.values[i] - low) / step + 0.5) * step : low;
    return answers;
}

bool same(const draw::MapAnswer& a, const draw::MapAnswer& b) {
    return a.class_index == b.class_index && a.share == b.share && a.value == b.value;
}

/// Neighbours of one row of cells become one region, and regions of the same columns in rows above each other.
void add_merged(draw::RegionMap& map, const model::Ensemble& ensemble, const PlacedGrid& grid) {
    const auto answers = shades(grid.cells());
    std::vector<std::size_t> below(grid.columns(), k_no_region);  // region that begins at this column, a row lower
    for (std::size_t row = 0; row < grid.rows(); ++row) {
        std::vector<std::size_t> own(grid.columns(), k_no_region);
        for (std::size_t begin = 0, end = 0; begin < grid.columns(); begin = end) {
            const draw::MapAnswer& answer = answers[row * grid.columns() + begin];
            for (end = begin + 1; end < grid.columns() && same(answers[row * grid.columns() + end], answer);) ++end;
            const std::size_t lower = below[begin];
            if (lower != k_no_region && map.regions[lower].x_high == grid.x(end) &&
                same(map.regions[lower].answer, answer)) {
                map.regions[lower].y_high = grid.y(row + 1);
                own[begin] = lower;
                continue;
            }
            if (map.regions.size() >= k_most_regions)
                throw LimitError("the forest's map has more than " + std::to_string(k_most_regions) +
                                 " regions to draw; take fewer or shallower trees");
            own[begin] = map.regions.size();
            map.regions.push_back(
                {grid.x(begin), grid.x(end), grid.y(row), grid.y(row + 1), answer, answer_text(ensemble, answer)});
        }
        below = std::move(own);
    }
}

/// Stretches along which the class changes, each as long as it goes straight on.
void add_borders(draw::RegionMap& map, const PlacedGrid& grid) {
    for (std::size_t column = 1; column < grid.columns(); ++column) {
        const auto differs = [&](std::size_t row) {
            return grid.class_at(row, column - 1) != grid.class_at(row, column);
        };
        for (std::size_t row = 0; row < grid.rows(); ++row) {
            const std::size_t begin = row;
            while (row < grid.rows() && differs(row)) ++row;
            if (row > begin) map.borders.push_back({grid.x(column), grid.y(begin), grid.x(column), grid.y(row)});
        }
    }
    for (std::size_t row = 1; row < grid.rows(); ++row) {
        const auto differs = [&](std::size_t column) {
            return grid.class_at(row - 1, column) != grid.class_at(row, column);
        };
        for (std::size_t column = 0; column < grid.columns(); ++column) {
            const std::size_t begin = column;
            while (column < grid.columns() && differs(column)) ++column;
            if (column > begin) map.borders.push_back({grid.x(begin), grid.y(row), grid.x(column), grid.y(row)});
        }
    }
}

/// Evenly spaced rows, in order; those without both coordinates have no place.
void add_points(draw::RegionMap& map, const model::Ensemble& ensemble, const RegionRequest& request,
                const data::TableShard& rows) {
    const std::size_t label = infer::label_column(ensemble, rows.schema);
    std::vector<std::int32_t> classes;
    std::vector<double> values;
    if (has_classes(ensemble))
        classes = infer::true_classes(ensemble, rows, label);
    else
        values = infer::true_values(rows, label);
    const auto x = column_numbers(rows, request.features[0]);
    const auto y = column_numbers(rows, request.features[1]);
    const std::size_t count = std::min<std::size_t>(rows.rows, request.points);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i * rows.rows / count;
        if (std::isnan(x[row]) || std::isnan(y[row])) continue;
        draw::MapAnswer truth;
        if (classes.empty())
            truth.value = values[row];
        else
            truth.class_index = static_cast<std::size_t>(classes[row]);
        map.points.push_back({x[row], y[row], truth});
    }
    std::string note = "Points: " + draw::count_text(map.points.size(), "row", "rows");
    if (count < rows.rows) note += ", evenly spaced among the table's " + draw::count_text(rows.rows);
    map.notes.push_back(note + ", in the colour of what is true of them.");
}

void add_words(draw::RegionMap& map, const model::Ensemble& ensemble, const std::vector<std::string>& held) {
    const bool forest = ensemble.trees.size() > 1;
    map.title = forest ? "Regions of the forest" : "Regions of the tree";
    if (!ensemble.label_name.empty()) map.title += " for " + ensemble.label_name;
    if (has_classes(ensemble))
        map.notes.emplace_back(
            "Dark lines: where the answer changes. The paler a colour, the smaller the class's share.");
    if (held.empty()) return;
    std::string note = "Held still: ";
    for (std::size_t i = 0; i < std::min(held.size(), k_names_in_a_note); ++i) note += (i == 0 ? "" : ", ") + held[i];
    if (held.size() > k_names_in_a_note) note += " and " + std::to_string(held.size() - k_names_in_a_note) + " more";
    map.notes.push_back(note + (map.points.empty() ? "." : "; the points have values of their own there."));
}

std::vector<double> class_weights(const model::Ensemble& ensemble) {
    std::vector<double> weights(ensemble.classes.size());
    if (!ensemble.has_class_weights()) return std::vector<double>(weights.size(), 1.0);
    for (const model::Tree& tree : ensemble.trees)
        for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += tree.nodes.front().value[k];
    return weights;
}

}  // namespace

draw::RegionMap describe_regions(const model::Ensemble& ensemble, const RegionRequest& request,
                                 const data::TableShard* rows) {
    const RegionPlane made = make_region_plane(ensemble, request, rows);
    const infer::Plane& plane = made.plane;
    draw::RegionMap map;
    map.across = {request.features[0], plane.x_low, plane.x_high};
    map.up = {request.features[1], plane.y_low, plane.y_high};
    map.classes = ensemble.classes;
    map.class_weights = class_weights(ensemble);
    map.value_name = ensemble.label_name;
    const PlacedGrid grid(infer::plane_grid(ensemble, plane, k_most_cells), plane);
    if (ensemble.trees.size() == 1 && ensemble.combination != model::Combination::sum) {
        add_tree(map, ensemble, plane);
    } else {
        add_merged(map, ensemble, grid);
        map.subtitle = draw::count_text(ensemble.trees.size()) + " trees · " + draw::count_text(grid.columns()) +
                       " x " + draw::count_text(grid.rows()) + " cells between their thresholds";
    }
    if (has_classes(ensemble)) add_borders(map, grid);
    if (rows != nullptr) add_points(map, ensemble, request, *rows);
    add_words(map, ensemble, made.held);
    return map;
}

}  // namespace regrove::pipeline
