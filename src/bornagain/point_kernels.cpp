#include "point_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "regrove/core/hash.hpp"

namespace regrove::bornagain {

namespace {

/// The points of a tensor: a row of 1 + axes numbers each, the class first.
class Points {
  public:
    explicit Points(const CellTensor& tensor) : width_(tensor.shape.axes + 1) {
        values_.resize(std::size_t{tensor.cells} * width_);
        std::memcpy(values_.data(), tensor.bits.data(), values_.size() * sizeof(std::uint16_t));
    }
    Points(std::uint32_t axes, std::vector<std::uint16_t> values) : width_(axes + 1), values_(std::move(values)) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size() / width_); }
    std::uint32_t axes() const { return width_ - 1; }
    std::uint16_t* row(std::uint32_t i) { return values_.data() + std::size_t{i} * width_; }
    const std::uint16_t* row(std::uint32_t i) const { return values_.data() + std::size_t{i} * width_; }
    std::uint16_t label(std::uint32_t i) const { return row(i)[0]; }
    std::uint16_t at(std::uint32_t i, std::uint32_t axis) const { return row(i)[1 + axis]; }

    /// Keeps the rows that `keep` marks.
    void filter(const std::vector<std::uint8_t>& keep) {
        std::vector<std::uint16_t> kept;
        for (std::uint32_t i = 0; i < size(); ++i)
            if (keep[i] != 0) kept.insert(kept.end(), row(i), row(i) + width_);
        values_.swap(kept);
    }

    /// By places, from the slowest axis; equal rows become one.
    void sort() {
        std::vector<std::uint32_t> order(size());
        std::iota(order.begin(), order.end(), 0U);
        const auto reversed_less = [&](std::uint32_t a, std::uint32_t b) {
            return std::lexicographical_compare(
                std::make_reverse_iterator(row(a) + width_), std::make_reverse_iterator(row(a)),
                std::make_reverse_iterator(row(b) + width_), std::make_reverse_iterator(row(b)));
        };
        std::sort(order.begin(), order.end(), reversed_less);
        std::vector<std::uint16_t> sorted;
        sorted.reserve(values_.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            if (i == 0 || !std::equal(row(order[i]), row(order[i]) + width_, row(order[i - 1])))
                sorted.insert(sorted.end(), row(order[i]), row(order[i]) + width_);
        values_.swap(sorted);
    }

    void drop_axis(std::uint32_t axis) {
        std::vector<std::uint16_t> kept;
        for (std::uint32_t i = 0; i < size(); ++i)
            for (std::uint32_t k = 0; k < width_; ++k)
                if (k != axis + 1) kept.push_back(row(i)[k]);
        values_.swap(kept);
        --width_;
    }

    void store(CellTensor& tensor) const {
        tensor.cells = size();
        tensor.planes = 1;
        tensor.words = static_cast<std::uint32_t>((values_.size() * sizeof(std::uint16_t) + 7) / 8);
        if (tensor.bits.size() < tensor.plane_words()) tensor.bits.resize(tensor.plane_words());
        tensor.bits[tensor.words - 1] = 0;
        std::memcpy(tensor.bits.data(), values_.data(), values_.size() * sizeof(std::uint16_t));
    }

  private:
    std::uint32_t width_;
    std::vector<std::uint16_t> values_;
};

std::uint32_t number_labels(Points& points) {
    std::map<std::uint16_t, std::uint16_t> numbers;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const auto next = static_cast<std::uint16_t>(numbers.size());
        points.row(i)[0] = numbers.emplace(points.label(i), next).first->second;
    }
    return static_cast<std::uint32_t>(numbers.size());
}

/// Renames the slices of an axis: `target[l]` rises by at most one from slice to slice.
void rename_slices(Points& points, CellTensor& tensor, std::uint32_t axis, const std::vector<std::uint16_t>& target,
                   SliceMap* map) {
    for (std::uint32_t i = 0; i < points.size(); ++i) points.row(i)[1 + axis] = target[points.at(i, axis)];
    tensor.shape.slices[axis] = static_cast<std::uint16_t>(target.back() + 1);
    if (map == nullptr) return;
    auto& starts = (*map)[tensor.shape.origin[axis]];
    std::vector<std::uint32_t> kept{starts[0]};
    for (std::size_t l = 1; l < target.size(); ++l)
        if (target[l] != target[l - 1]) kept.push_back(starts[l]);
    starts.swap(kept);
}

/// The points of each slice without their place on the axis, sorted.
std::vector<std::vector<std::vector<std::uint16_t>>> slices_of(const Points& points, std::uint32_t axis,
                                                               std::uint32_t slices) {
    std::vector<std::vector<std::vector<std::uint16_t>>> result(slices);
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        std::vector<std::uint16_t> rest(points.row(i), points.row(i) + 1 + points.axes());
        rest.erase(rest.begin() + 1 + axis);
        result[points.at(i, axis)].push_back(std::move(rest));
    }
    for (auto& slice : result) std::sort(slice.begin(), slice.end());
    return result;
}

/// Joins slices to a neighbour that has all their points: whatever decides the neighbour decides them. An empty slice
/// joins the one below it.
void join_slices(Points& points, CellTensor& tensor, std::uint32_t axis, SliceMap* map) {
    const std::uint32_t slices = tensor.shape.slices[axis];
    auto contents = slices_of(points, axis, slices);
    std::vector<std::uint16_t> target(slices, 0);
    std::size_t last = 0;  // the slice that stands for the current group
    for (std::uint32_t l = 1; l < slices; ++l) {
        const auto& own = contents[l];
        const auto& other = contents[last];
        const bool below = std::includes(other.begin(), other.end(), own.begin(), own.end());
        const bool above = std::includes(own.begin(), own.end(), other.begin(), other.end());
        target[l] = static_cast<std::uint16_t>(target[l - 1] + (below || above ? 0 : 1));
        if (!below) last = l;
    }
    rename_slices(points, tensor, axis, target, map);
}

/// On a single axis neighbours of one class are one slice.
void join_runs(Points& points, CellTensor& tensor, SliceMap* map) {
    std::vector<std::uint16_t> target(tensor.shape.slices[0], 0);
    for (std::uint32_t i = 1; i < points.size(); ++i)
        target[i] = static_cast<std::uint16_t>(target[i - 1] + (points.label(i) == points.label(i - 1) ? 0 : 1));
    rename_slices(points, tensor, 0, target, map);
    points.sort();
}

std::uint32_t compress(Points points, CellTensor& tensor, SliceMap* map) {
    points.sort();
    const std::uint32_t classes = number_labels(points);
    if (classes == 1) {
        if (map != nullptr)
            for (auto& starts : *map) starts.resize(1);
        tensor.shape.axes = 0;
        tensor.cells = tensor.words = tensor.planes = 1;
        return 1;
    }
    for (std::uint32_t j = tensor.shape.axes; j-- > 0;) {
        join_slices(points, tensor, j, map);
        if (tensor.shape.slices[j] > 1) continue;
        points.drop_axis(j);
        for (std::uint32_t k = j; k + 1 < tensor.shape.axes; ++k) {
            tensor.shape.slices[k] = tensor.shape.slices[k + 1];
            tensor.shape.origin[k] = tensor.shape.origin[k + 1];
        }
        --tensor.shape.axes;
    }
    points.sort();
    if (tensor.shape.axes == 1) join_runs(points, tensor, map);
    number_labels(points);
    points.store(tensor);
    return classes;
}

std::uint32_t compress_tensor(CellTensor& tensor, TensorScratch&, SliceMap* map) {
    return compress(Points(tensor), tensor, map);
}

std::uint32_t take_slices(const CellTensor& tensor, std::uint32_t axis, std::uint32_t first, std::uint32_t last,
                          CellTensor& out, TensorScratch&, SliceMap* map) {
    Points points(tensor);
    std::vector<std::uint8_t> keep(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i)
        keep[i] = points.at(i, axis) >= first && points.at(i, axis) <= last ? 1 : 0;
    points.filter(keep);
    for (std::uint32_t i = 0; i < points.size(); ++i)
        points.row(i)[1 + axis] = static_cast<std::uint16_t>(points.at(i, axis) - first);
    out.shape = tensor.shape;
    out.shape.slices[axis] = static_cast<std::uint16_t>(last - first + 1);
    if (map != nullptr) {
        auto& starts = (*map)[tensor.shape.origin[axis]];
        starts = {starts.begin() + first, starts.begin() + last + 1};
    }
    return compress(std::move(points), out, map);
}

StateKey key(const CellTensor& tensor) {
    Hasher hasher;
    hasher.update_field("points");
    hasher.update(&tensor.shape.axes, sizeof tensor.shape.axes);
    hasher.update(tensor.shape.slices.data(), sizeof(std::uint16_t) * tensor.shape.axes);
    hasher.update(&tensor.cells, sizeof tensor.cells);
    hasher.update(tensor.bits.data(), sizeof(std::uint64_t) * tensor.words);
    const Hash128 hash = hasher.digest();
    return {hash.low, hash.high};
}

std::uint32_t slice_of(const CellTensor& tensor, std::uint32_t cell, std::uint32_t axis) {
    std::uint16_t value = 0;
    const std::size_t place = std::size_t{cell} * (tensor.shape.axes + 1) + 1 + axis;
    std::memcpy(&value, reinterpret_cast<const char*>(tensor.bits.data()) + place * sizeof value, sizeof value);
    return value;
}

/// Whether the smallest box around two points holds one of another class than theirs.
bool is_mixed(const Points& points, std::uint32_t a, std::uint32_t b) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        if (points.label(i) == points.label(a)) continue;
        bool inside = true;
        for (std::uint32_t j = 0; inside && j < points.axes(); ++j) {
            const std::uint16_t low = std::min(points.at(a, j), points.at(b, j));
            const std::uint16_t high = std::max(points.at(a, j), points.at(b, j));
            inside = points.at(i, j) >= low && points.at(i, j) <= high;
        }
        if (inside) return true;
    }
    return false;
}

/// A set of some of the points is as sound, and found in time: with n points it takes O(looked at * set * n * axes).
constexpr std::uint32_t k_most_looked_at = 1000;

void fooling_set(const CellTensor& tensor, const Differences&, std::vector<std::uint32_t>& cells, TensorScratch&) {
    const Points points(tensor);
    cells.clear();
    const std::uint32_t looked_at = std::min(points.size(), k_most_looked_at);
    for (std::uint32_t k = 0; k < looked_at; ++k) {
        // Spread over all of them: the first ones lie together on the slowest axis.
        const auto i = static_cast<std::uint32_t>(std::uint64_t{k} * points.size() / looked_at);
        if (std::ranges::all_of(cells, [&](std::uint32_t chosen) {
                return points.label(i) != points.label(chosen) || is_mixed(points, i, chosen);
            }))
            cells.push_back(i);
    }
}

}  // namespace

const TensorKernels& point_kernels() {
    static const TensorKernels table{
        .name = "points",
        .knows_all_cells = false,
        .compress = compress_tensor,
        .take_slices = take_slices,
        .key = key,
        .slice_of = slice_of,
        .differences = [](const CellTensor&, Differences& out, TensorScratch&) { out.max_sensitivity = 0; },
        .forced_cuts = [](const CellTensor&, const Differences&, std::uint32_t,
                          std::vector<ForcedCut>&) { return false; },
        .degree = [](const CellTensor&, std::vector<CutRange>*, TensorScratch&) { return 0U; },
        .fooling_set = fooling_set};
    return table;
}

std::optional<RootTensor> root_points(const cellspace::CompiledEnsemble& ensemble,
                                      std::span<const std::uint32_t> cells, const cellspace::Box& box) {
    RootTensor root;
    root.kernels = &point_kernels();
    root.known_cells.assign(cells.begin(), cells.end());
    const std::size_t axes = box.low.size();
    // Slices are the coordinates that occur; the first one reaches down to the border of the box.
    for (std::size_t j = 0; j < axes; ++j) {
        std::set<std::uint32_t> found;
        for (std::size_t at = j; at < cells.size(); at += axes) found.insert(cells[at]);
        root.map.emplace_back(found.begin(), found.end());
        root.map.back()[0] = box.low[j];
    }
    if (!fits_tensor(root.map, std::numeric_limits<double>::infinity())) return std::nullopt;
    GridShape& shape = root.tensor.shape;
    for (std::size_t j = 0; j < axes; ++j) {
        if (root.map[j].size() < 2) continue;
        shape.slices[shape.axes] = static_cast<std::uint16_t>(root.map[j].size());
        shape.origin[shape.axes++] = static_cast<std::uint16_t>(j);
    }
    std::vector<std::uint16_t> values;
    for (std::size_t at = 0; at < cells.size(); at += axes) {
        values.push_back(static_cast<std::uint16_t>(ensemble.class_at(cells.subspan(at, axes))));
        for (std::uint32_t k = 0; k < shape.axes; ++k) {
            const auto& starts = root.map[shape.origin[k]];
            const auto above = std::ranges::upper_bound(starts, cells[at + shape.origin[k]]);
            values.push_back(static_cast<std::uint16_t>(above - starts.begin() - 1));
        }
    }
    root.classes = compress(Points(shape.axes, std::move(values)), root.tensor, &root.map);
    return root;
}

}  // namespace regrove::bornagain
