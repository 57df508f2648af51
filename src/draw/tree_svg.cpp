// The page around a tree: title and legend above, notes below, all as wide as the tree or as the texts need.
#include "regrove/draw/tree_svg.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/draw/svg_writer.hpp"

#include "branch_svg.hpp"
#include "card_svg.hpp"

namespace regrove::draw {
namespace {

constexpr double k_margin = 24;
constexpr double k_least_page = 460;
constexpr double k_widest_page_down = 1900;
constexpr double k_swatch = 12;
constexpr double k_legend_line = 20;
constexpr double k_note_line = 16;
constexpr Font k_title_font{20, FontWeight::bold};
constexpr Font k_subtitle_font{13};
constexpr Font k_legend_font{12};
constexpr Font k_note_font{11};
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

void write_line(SvgWriter& svg, double x, double baseline, Font font, Color color, const std::string& text) {
    SvgWriter::Attributes attributes;
    attributes.set("x", x).set("y", baseline).set("font-size", font.size).set("fill", color);
    if (font.weight == FontWeight::bold) attributes.set("font-weight", "bold");
    svg.text("text", attributes, text);
}

double draw_legend(SvgWriter& svg, const std::vector<LegendEntry>& legend, double y, double page_width) {
    double x = k_margin;
    for (const LegendEntry& entry : legend) {
        const double width = k_swatch + 6 + text_width(entry.text, k_legend_font);
        if (x > k_margin && x + width > page_width - k_margin) {
            x = k_margin;
            y += k_legend_line;
        }
        SvgWriter::Attributes swatch;
        swatch.set("x", x).set("y", y).set("width", k_swatch).set("height", k_swatch).set("rx", 2.0);
        svg.empty("rect", swatch.set("fill", entry.color));
        write_line(svg, x + k_swatch + 6, y + 10.5, k_legend_font, k_ink, entry.text);
        x += width + 20;
    }
    return legend.empty() ? y : y + k_legend_line;
}

double draw_scale(SvgWriter& svg, const ValueScale& scale, double y) {
    constexpr int steps = 32;
    constexpr double step_width = 6;
    double x = k_margin;
    if (!scale.name.empty()) {
        write_line(svg, x, y + 10.5, k_legend_font, k_ink, scale.name);
        x += text_width(scale.name, k_legend_font) + 14;
    }
    write_line(svg, x, y + 10.5, k_legend_font, k_ink, scale.low);
    x += text_width(scale.low, k_legend_font) + 6;
    for (int i = 0; i < steps; ++i) {
        SvgWriter::Attributes step;
        step.set("x", x).set("y", y).set("width", step_width + 0.5).set("height", k_swatch);
        svg.empty("rect", step.set("fill", scale_color(i / (steps - 1.0))));
        x += step_width;
    }
    write_line(svg, x + 6.5, y + 10.5, k_legend_font, k_ink, scale.high);
    return y + k_legend_line;
}

// A note cut into lines at blanks.
std::vector<std::string> wrapped(const std::string& note, double width) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < note.size();) {
        const std::size_t end = std::min(note.find(' ', at), note.size());
        const std::string word = note.substr(at, end - at);
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (!lines.back().empty() && text_width(longer, k_note_font) > width)
            lines.push_back(word);
        else
            lines.back() = longer;
        at = end + 1;
    }
    return lines;
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
        for (const std::string& line : wrapped(note.text, page_width - 2 * k_margin - indent)) {
            write_line(svg, k_margin + indent, y + 11, k_note_font, k_quiet_ink, line);
            y += k_note_line;
        }
    }
    return y;
}

// Everything but the root element, whose height is known only at the end.
double draw_page(SvgWriter& svg, const TreePicture& picture, PlacedTree& placed, double width) {
    write_line(svg, k_margin, k_margin + 18, k_title_font, k_ink, picture.title);
    write_line(svg, k_margin, k_margin + 40, k_subtitle_font, k_quiet_ink, picture.subtitle);
    double y = draw_legend(svg, picture.legend, k_margin + 54, width);
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
    const double title = text_width(picture.title, k_title_font);
    const double subtitle = text_width(picture.subtitle, k_subtitle_font);
    return std::ceil(std::max({k_least_page, layout.width, title, subtitle}) + 2 * k_margin);
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

    SvgWriter svg;
    SvgWriter::Attributes root;
    root.set("xmlns", "http://www.w3.org/2000/svg").set("width", width).set("height", height);
    root.set("viewBox", "0 0 " + coordinate_text(width) + " " + coordinate_text(height));
    root.set("role", "graphics-document document").set("aria-label", picture.title);
    root.set("font-family", "'DejaVu Sans', Verdana, 'Liberation Sans', Arial, sans-serif");
    svg.open("svg", root);
    svg.text("title", {}, picture.title);
    svg.text("desc", {}, description(picture));
    SvgWriter::Attributes paper;
    svg.empty("rect", paper.set("width", "100%").set("height", "100%").set("fill", k_white));
    svg.insert(std::move(body).finish());
    svg.close();
    return std::move(svg).finish();
}

}  // namespace regrove::draw
