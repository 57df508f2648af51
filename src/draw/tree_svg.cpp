// The page around a tree: title and legend above, notes below, all as wide as the tree or as the texts need.
#include "regrove/draw/tree_svg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regrove/draw/svg_writer.hpp"

#include "branch_svg.hpp"
#include "card_svg.hpp"
#include "page_svg.hpp"

namespace regrove::draw {
namespace {

constexpr double k_least_page = 460;
constexpr double k_widest_page_down = 1900;
constexpr LayoutGaps k_gaps_down{18, 58};
constexpr double k_gap_rows_right = 14;

struct PlacedTree {
    Orientation orientation = Orientation::down;
    Layout layout;
};

PlacedTree place_down(const TreePicture& picture) {
    std::vector<BoxSize> sizes;
    for (const Card& card : picture.cards) {
        BoxSize size = card_size(card);
        size.left = card.left;
        size.right = card.right;
        sizes.push_back(size);
    }
    // A branch's text stands beside the middle of its child's upper edge.
    for (const Branch& branch : picture.branches)
        sizes[branch.child].width = std::max(sizes[branch.child].width, std::ceil(2 * branch_text_room(branch)));
    return {Orientation::down, tidy_layout(sizes, Orientation::down, k_gaps_down)};
}

PlacedTree place_right(const TreePicture& picture) {
    std::vector<BoxSize> sizes;
    for (const Card& card : picture.cards) {
        BoxSize size = card_size(card);
        size.left = card.left;
        size.right = card.right;
        sizes.push_back(size);
    }
    double text_room = 0;
    for (const Branch& branch : picture.branches) text_room = std::max(text_room, branch_text_room(branch));
    const LayoutGaps gaps{k_gap_rows_right, 56 + std::ceil(text_room)};
    return {Orientation::right, tidy_layout(sizes, Orientation::right, gaps)};
}

PlacedTree place(const TreePicture& picture, OrientationChoice orientation) {
    if (orientation == OrientationChoice::right) return place_right(picture);
    PlacedTree down = place_down(picture);
    if (orientation == OrientationChoice::down || down.layout.width <= k_widest_page_down) return down;
    PlacedTree right = place_right(picture);
    return right.layout.width < down.layout.width ? std::move(right) : std::move(down);
}

void move_to(Layout& layout, double x, double y) {
    for (Box& box : layout.boxes) {
        box.x += x;
        box.y += y;
    }
}

struct SignedNote {
    MissingMark mark = MissingMark::none;
    std::string text;
};

std::vector<SignedNote> page_notes(const TreePicture& picture) {
    std::vector<SignedNote> notes;
    for (const std::string& note : picture.notes) notes.push_back({MissingMark::none, note});
    if (picture.explain_goes_here) notes.push_back({MissingMark::goes_here, "Rows without a value go this way."});
    if (picture.explain_would_go_here)
        notes.push_back(
            {MissingMark::would_go_here, "A row without a value would go this way; training saw none here."});
    return notes;
}

double draw_notes(SvgWriter& svg, const TreePicture& picture, double y, double page_width) {
    for (const SignedNote& note : page_notes(picture)) {
        const double indent = note.mark == MissingMark::none ? 0 : 14;
        draw_missing_mark(svg, note.mark, k_margin + 4, y + 7);
        y = draw_note(svg, note.text, k_margin + indent, y, page_width - 2 * k_margin - indent);
    }
    return y;
}

// Everything but the root element, whose height is known only at the end.
double draw_page(SvgWriter& svg, const TreePicture& picture, PlacedTree& placed, double width) {
    draw_heading(svg, picture.title, picture.subtitle);
    double y = draw_legend(svg, picture.legend, k_margin + k_heading_height, width);
    if (picture.scale) y = draw_scale(svg, *picture.scale, y);
    y += 16;

    move_to(placed.layout, std::floor((width - placed.layout.width) / 2), y);
    for (const Branch& branch : picture.branches)
        draw_branch_line(svg, branch, picture, placed.layout, placed.orientation);
    for (std::size_t i = 0; i < picture.cards.size(); ++i) draw_card(svg, picture.cards[i], placed.layout.boxes[i]);
    for (const Branch& branch : picture.branches) draw_branch_text(svg, branch, placed.layout, placed.orientation);
    return draw_notes(svg, picture, y + placed.layout.height + 20, width) + k_margin - 8;
}

double page_width(const TreePicture& picture, const Layout& layout) {
    const double heading = heading_width(picture.title, picture.subtitle);
    return std::ceil(std::max({k_least_page, layout.width, heading}) + 2 * k_margin);
}

std::string description(const TreePicture& picture) {
    std::string text = picture.subtitle + ".";
    for (const std::string& note : picture.notes) text += " " + note;
    return text;
}

}  // namespace

std::string tree_svg(const TreePicture& picture, OrientationChoice orientation) {
    PlacedTree placed = place(picture, orientation);
    const double width = page_width(picture, placed.layout);
    SvgWriter body;
    const double height = std::ceil(draw_page(body, picture, placed, width));

    return finish_page({width, height, picture.title, description(picture)}, std::move(body));
}

}  // namespace regrove::draw
