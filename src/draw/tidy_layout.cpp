// Outlines grow from the leaves up: boxes in pre-order are visited from last to first, so depth needs no recursion.
#include "regrove/draw/tidy_layout.hpp"

#include <algorithm>
#include <utility>

#include "regrove/core/check.hpp"

namespace regrove::draw {
namespace {

// Across a level, relative to the subtree's own origin.
struct Interval {
    double low = 0;
    double high = 0;
};

// A subtree's intervals, deepest level first so that its root is at the back; all of them are `shift` off.
struct Outline {
    std::vector<Interval> levels;
    double shift = 0;

    Interval level_below_root(std::size_t i) const {
        const Interval& stored = levels[levels.size() - 1 - i];
        return {stored.low + shift, stored.high + shift};
    }
};

// The least distance of `right`'s origin from `left`'s at which no level has less than `gap` between them.
double distance_needed(const Outline& left, const Outline& right, double gap) {
    const std::size_t common = std::min(left.levels.size(), right.levels.size());
    double needed = 0;
    for (std::size_t i = 0; i < common; ++i)
        needed = std::max(needed, left.level_below_root(i).high + gap - right.level_below_root(i).low);
    return needed;
}

// Both outlines, the origins already shifted; takes the storage of the deeper one.
Outline merged(Outline left, Outline right) {
    const bool left_deeper = left.levels.size() >= right.levels.size();
    const std::size_t common = std::min(left.levels.size(), right.levels.size());
    Outline& deeper = left_deeper ? left : right;
    for (std::size_t i = 0; i < common; ++i) {
        const Interval both{left.level_below_root(i).low, right.level_below_root(i).high};
        deeper.levels[deeper.levels.size() - 1 - i] = {both.low - deeper.shift, both.high - deeper.shift};
    }
    return std::move(deeper);
}

struct Placer {
    std::span<const BoxSize> sizes;  // `width` is across the level, `height` along the depth
    LayoutGaps gaps;
    std::vector<Outline> outlines;
    std::vector<double> offsets;  // of a box's centre from its parent's

    void place(std::size_t i) {
        const double half = sizes[i].width / 2;
        if (sizes[i].left == k_no_box) {
            outlines[i].levels.push_back({-half, half});
            return;
        }
        const std::uint32_t left = sizes[i].left;
        const std::uint32_t right = sizes[i].right;
        REGROVE_CHECK(left > i && right > left && right < sizes.size());
        const double apart = distance_needed(outlines[left], outlines[right], gaps.neighbours);
        offsets[left] = -apart / 2;
        offsets[right] = apart / 2;
        outlines[left].shift += offsets[left];
        outlines[right].shift += offsets[right];
        outlines[i] = merged(std::move(outlines[left]), std::move(outlines[right]));
        outlines[i].levels.push_back({-half - outlines[i].shift, half - outlines[i].shift});
    }
};

// Where each level begins along the depth.
std::vector<double> level_starts(std::span<const BoxSize> sizes, const std::vector<std::uint32_t>& depths,
                                 double gap) {
    std::vector<double> starts;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (depths[i] + 1 >= starts.size()) starts.resize(depths[i] + 2, 0);
        starts[depths[i] + 1] = std::max(starts[depths[i] + 1], sizes[i].height);
    }
    for (std::size_t level = 1; level < starts.size(); ++level) starts[level] += starts[level - 1] + gap;
    return starts;
}

Layout layout_down(std::span<const BoxSize> sizes, LayoutGaps gaps) {
    Placer placer{sizes, gaps, std::vector<Outline>(sizes.size()), std::vector<double>(sizes.size(), 0)};
    for (std::size_t i = sizes.size(); i-- > 0;) placer.place(i);

    std::vector<double> centres(sizes.size(), 0);
    std::vector<std::uint32_t> depths(sizes.size(), 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i].left == k_no_box) continue;
        for (const std::uint32_t child : {sizes[i].left, sizes[i].right}) {
            centres[child] = centres[i] + placer.offsets[child];
            depths[child] = depths[i] + 1;
        }
    }
    const std::vector<double> starts = level_starts(sizes, depths, gaps.levels);
    double leftmost = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) leftmost = std::min(leftmost, centres[i] - sizes[i].width / 2);

    Layout layout;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const Box box{centres[i] - sizes[i].width / 2 - leftmost, starts[depths[i]], sizes[i].width, sizes[i].height};
        layout.width = std::max(layout.width, box.x + box.width);
        layout.height = std::max(layout.height, box.y + box.height);
        layout.boxes.push_back(box);
    }
    return layout;
}

}  // namespace

Layout tidy_layout(std::span<const BoxSize> sizes, Orientation orientation, LayoutGaps gaps) {
    if (orientation == Orientation::down) return layout_down(sizes, gaps);
    std::vector<BoxSize> turned(sizes.begin(), sizes.end());
    for (BoxSize& size : turned) std::swap(size.width, size.height);
    Layout layout = layout_down(turned, gaps);
    std::swap(layout.width, layout.height);
    for (Box& box : layout.boxes) {
        std::swap(box.x, box.y);
        std::swap(box.width, box.height);
    }
    return layout;
}

}  // namespace regrove::draw
