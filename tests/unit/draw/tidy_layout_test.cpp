// Layout: no two boxes overlap, levels line up, parents stand over the middle of their children.
#include "regrove/draw/tidy_layout.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "unit/draw/sample_trees.hpp"

namespace regrove::draw {
namespace {

constexpr LayoutGaps k_gaps{10, 30};

std::vector<BoxSize> sizes_of(const model::Tree& tree, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<BoxSize> sizes;
    for (const model::Node& node : tree.nodes) {
        BoxSize size{static_cast<double>(20 + random() % 200), static_cast<double>(10 + random() % 50)};
        if (!node.is_leaf()) {
            size.left = index(node.left);
            size.right = index(node.right);
        }
        sizes.push_back(size);
    }
    return sizes;
}

// The first pair of boxes that come closer than they may, or an empty text.
std::string first_overlap(const Layout& layout, double gap_x, double gap_y) {
    std::vector<std::size_t> order(layout.boxes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return layout.boxes[a].y < layout.boxes[b].y; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Box& a = layout.boxes[order[i]];
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            const Box& b = layout.boxes[order[j]];
            if (b.y >= a.y + a.height + gap_y) break;
            const bool apart = a.x + a.width + gap_x <= b.x + 1e-6 || b.x + b.width + gap_x <= a.x + 1e-6;
            if (!apart) return std::to_string(order[i]) + " and " + std::to_string(order[j]);
        }
    }
    return "";
}

double middle(const Box& box) { return box.x + box.width / 2; }

TEST(TidyLayout, PlacesASingleBoxAtTheOrigin) {
    const std::vector<BoxSize> sizes{{40, 20}};
    const Layout layout = tidy_layout(sizes, Orientation::down, k_gaps);
    EXPECT_EQ(layout.boxes.at(0).x, 0);
    EXPECT_EQ(layout.width, 40);
    EXPECT_EQ(layout.height, 20);
}

TEST(TidyLayout, PutsChildrenSideBySideUnderTheirParent) {
    const std::vector<BoxSize> sizes{{20, 12, 1, 2}, {40, 20}, {60, 16}};
    const Layout layout = tidy_layout(sizes, Orientation::down, k_gaps);
    EXPECT_EQ(layout.boxes[1].x, 0);
    EXPECT_EQ(layout.boxes[2].x, 50);  // 40 wide and a gap of 10
    EXPECT_EQ(middle(layout.boxes[0]), (20.0 + 80.0) / 2);
    EXPECT_EQ(layout.boxes[1].y, 12 + 30);
    EXPECT_EQ(layout.width, 110);
    EXPECT_EQ(layout.height, 12 + 30 + 20);
}

TEST(TidyLayout, TurnsTheSameTreeToTheRight) {
    const std::vector<BoxSize> sizes{{20, 12, 1, 2}, {40, 20}, {60, 16}};
    const Layout layout = tidy_layout(sizes, Orientation::right, k_gaps);
    EXPECT_EQ(layout.boxes[0].x, 0);
    EXPECT_EQ(layout.boxes[1].x, 50);
    EXPECT_EQ(layout.boxes[2].x, 50);
    EXPECT_EQ(layout.boxes[2].y, 30);  // 20 high and a gap of 10
    EXPECT_EQ(layout.boxes[2].width, 60);
}

TEST(TidyLayout, LetsASmallSubtreeSlipUnderAWideOne) {
    // Root; left child is a leaf, right child has two leaves. The wide leaves lie one level below the left leaf.
    const std::vector<BoxSize> sizes{{20, 10, 1, 2}, {20, 10}, {20, 10, 3, 4}, {100, 10}, {100, 10}};
    const Layout layout = tidy_layout(sizes, Orientation::down, k_gaps);
    EXPECT_EQ(middle(layout.boxes[2]) - middle(layout.boxes[1]), 30);  // as if there were no wide leaves
    EXPECT_LT(layout.boxes[3].x, layout.boxes[1].x);
}

TEST(TidyLayout, NeverLetsTwoBoxesOverlap) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const model::Tree tree = testing::random_tree(1 + seed, seed);
        const std::vector<BoxSize> sizes = sizes_of(tree, seed);
        const Layout down = tidy_layout(sizes, Orientation::down, k_gaps);
        EXPECT_EQ(first_overlap(down, k_gaps.neighbours, k_gaps.levels), "") << "seed " << seed;
        const Layout right = tidy_layout(sizes, Orientation::right, k_gaps);
        EXPECT_EQ(first_overlap(right, k_gaps.levels, k_gaps.neighbours), "") << "seed " << seed;
    }
}

TEST(TidyLayout, CentresParentsAndStaysWithinItsPage) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const std::vector<BoxSize> sizes = sizes_of(testing::random_tree(60, seed), seed);
        const Layout layout = tidy_layout(sizes, Orientation::down, k_gaps);
        double leftmost = layout.width;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const Box& box = layout.boxes[i];
            leftmost = std::min(leftmost, box.x);
            EXPECT_LE(box.x + box.width, layout.width);
            EXPECT_LE(box.y + box.height, layout.height);
            if (sizes[i].left == k_no_box) continue;
            const Box& left = layout.boxes[sizes[i].left];
            const Box& right = layout.boxes[sizes[i].right];
            EXPECT_EQ(left.y, right.y);
            EXPECT_NEAR(middle(box), (middle(left) + middle(right)) / 2, 1e-6);
        }
        EXPECT_NEAR(leftmost, 0, 1e-9);
    }
}

TEST(TidyLayout, HoldsCombsAndLargeTrees) {
    const Layout deep = tidy_layout(sizes_of(testing::comb(3000), 1), Orientation::down, k_gaps);
    EXPECT_EQ(first_overlap(deep, k_gaps.neighbours, k_gaps.levels), "");
    const Layout wide = tidy_layout(sizes_of(testing::balanced_tree(4096), 2), Orientation::down, k_gaps);
    EXPECT_EQ(wide.boxes.size(), 8191U);
    EXPECT_EQ(first_overlap(wide, k_gaps.neighbours, k_gaps.levels), "");
}

}  // namespace
}  // namespace regrove::draw
