// Curves that leave and arrive at right angles to the level, so that texts beside their ends stay clear.
#include "branch_svg.hpp"

#include "ink.hpp"

namespace regrove::draw {
namespace {

constexpr double k_thinnest = 1;
constexpr double k_thickest = 7;
constexpr double k_text_off = 7;       // from the line
constexpr double k_straight_end = 16;  // where the mark for missing values sits
constexpr Color k_line{0xC3, 0xCA, 0xD3};

struct Point {
    double x = 0;
    double y = 0;
};

Point leaving(const Box& box, Orientation orientation) {
    if (orientation == Orientation::down) return {box.x + box.width / 2, box.y + box.height};
    return {box.x + box.width, box.y + box.height / 2};
}

Point arriving(const Box& box, Orientation orientation) {
    if (orientation == Orientation::down) return {box.x + box.width / 2, box.y};
    return {box.x, box.y + box.height / 2};
}

std::string point_text(Point point) { return coordinate_text(point.x) + " " + coordinate_text(point.y); }

}  // namespace

double branch_text_room(const Branch& branch) { return text_width(branch.text, k_branch_font) + k_text_off + 4; }

void draw_branch_line(SvgWriter& svg, const Branch& branch, const TreePicture& picture, const Layout& layout,
                      Orientation orientation) {
    const Point from = leaving(layout.boxes[branch.parent], orientation);
    const Point end = arriving(layout.boxes[branch.child], orientation);
    const bool down = orientation == Orientation::down;
    const Point to = down ? Point{end.x, end.y - k_straight_end} : Point{end.x - k_straight_end, end.y};
    const Point middle{(from.x + to.x) / 2, (from.y + to.y) / 2};
    const Point pull_from = down ? Point{from.x, middle.y} : Point{middle.x, from.y};
    const Point pull_to = down ? Point{to.x, middle.y} : Point{middle.x, to.y};
    SvgWriter::Attributes path;
    path.set("d", "M" + point_text(from) + " C" + point_text(pull_from) + " " + point_text(pull_to) + " " +
                      point_text(to) + " L" + point_text(end));
    path.set("stroke-width", k_thinnest + (k_thickest - k_thinnest) * picture.cards[branch.child].share);
    svg.empty("path", path.set("fill", "none").set("stroke", k_line));
}

void draw_branch_text(SvgWriter& svg, const Branch& branch, const Layout& layout, Orientation orientation) {
    const Point end = arriving(layout.boxes[branch.child], orientation);
    const bool down = orientation == Orientation::down;
    SvgWriter::Attributes text;
    if (down)
        text.set("x", end.x + (branch.yes ? k_text_off : -k_text_off)).set("y", end.y - 6);
    else
        text.set("x", end.x - 15).set("y", end.y + (branch.yes ? 15 : -k_text_off));
    text.set("text-anchor", down && branch.yes ? "start" : "end");
    text.set("font-size", k_branch_font.size).set("fill", k_ink);
    svg.text("text", text, branch.text);
    draw_missing_mark(svg, branch.missing, down ? end.x : end.x - 9, down ? end.y - 10 : end.y);
}

void draw_missing_mark(SvgWriter& svg, MissingMark mark, double x, double y) {
    if (mark == MissingMark::none) return;
    const bool seen = mark == MissingMark::goes_here;
    SvgWriter::Attributes circle;
    circle.set("cx", x).set("cy", y).set("r", seen ? 3.5 : 2.5);
    circle.set("fill", seen ? k_ink : k_white).set("stroke", seen ? k_ink : k_quiet_ink);
    svg.empty("circle", circle);
}

}  // namespace regrove::draw
