// From the top: headline, rows, bar, what lies below; ties in a pill on the lower edge.
#include "card_svg.hpp"

#include <algorithm>
#include <cmath>

#include "page_text.hpp"

namespace regrove::draw {
namespace {

constexpr double k_pad = 10;
constexpr double k_headline_line = 17;
constexpr double k_figures_line = 16;
constexpr double k_bar_gap = 5;
constexpr double k_bar_height = 15;
constexpr double k_least_width = 120;
constexpr double k_pill_height = 14;
constexpr double k_pill_inset = 8;
constexpr Font k_figures_font{11};
constexpr Font k_small_font{10};

double pill_width(const Card& card) { return text_width(card.ties, k_small_font) + 12; }

double headline_width(const Card& card) {
    double widest = 0;
    for (const std::string& line : card.headline) widest = std::max(widest, text_width(line, k_headline_font));
    if (!card.answer_share.empty()) widest += 10 + text_width(card.answer_share, k_figures_font);
    return widest;
}

void draw_frame(SvgWriter& svg, const Card& card, const Box& box) {
    const bool leaf = card.kind == CardKind::leaf;
    SvgWriter::Attributes frame;
    frame.set("x", box.x).set("y", box.y).set("width", box.width).set("height", box.height);
    frame.set("rx", leaf ? 12.0 : 4.0);
    frame.set("fill", leaf ? mix(card.accent, k_white, 12) : k_white);
    frame.set("stroke", leaf ? card.accent : k_border).set("stroke-width", leaf ? 1.5 : 1.0);
    if (card.kind == CardKind::cut) frame.set("stroke-dasharray", "5 3");
    svg.empty("rect", frame);
}

double draw_headline(SvgWriter& svg, const Card& card, const Box& box) {
    double baseline = box.y + k_pad + 11;
    for (const std::string& line : card.headline) {
        write_text(svg, box.x + k_pad, baseline, k_headline_font, k_ink, line);
        baseline += k_headline_line;
    }
    if (!card.answer_share.empty())
        write_text(svg, box.x + box.width - k_pad, baseline - k_headline_line, k_figures_font, k_ink,
                   card.answer_share, TextAnchor::end);
    return baseline;
}

// The longest of "malignant 37.4%", "37.4%" and nothing that a segment holds.
std::string segment_text(const Segment& segment, double width) {
    const std::string full = segment.name + " " + segment.percent;
    if (text_width(full, k_small_font) + 6 <= width) return full;
    const bool color_names_class = segment.color != k_other_classes;
    return color_names_class && text_width(segment.percent, k_small_font) + 6 <= width ? segment.percent : "";
}

void draw_segments(SvgWriter& svg, const Card& card, const Box& bar) {
    double x = bar.x;
    for (const Segment& segment : card.segments) {
        const double width = bar.width * segment.share;
        SvgWriter::Attributes part;
        part.set("x", x).set("y", bar.y).set("width", width).set("height", bar.height).set("fill", segment.color);
        svg.empty("rect", part);
        const std::string text = segment_text(segment, width);
        if (!text.empty())
            write_text(svg, x + width / 2, bar.y + 11, k_small_font, text_color_on(segment.color), text,
                       TextAnchor::middle);
        x += width;
    }
}

void draw_value(SvgWriter& svg, const Card& card, const Box& bar) {
    SvgWriter::Attributes track;
    track.set("x", bar.x).set("y", bar.y + 3).set("width", bar.width).set("height", bar.height - 6);
    svg.empty("rect", track.set("rx", 2.0).set("fill", k_track));
    SvgWriter::Attributes spread;
    spread.set("x", bar.x + bar.width * card.value->low).set("y", bar.y + 3);
    spread.set("width", bar.width * (card.value->high - card.value->low)).set("height", bar.height - 6);
    svg.empty("rect", spread.set("fill", mix(card.accent, k_white, 45)));
    SvgWriter::Attributes mark;
    mark.set("x", bar.x + (bar.width - 4) * card.value->mean).set("y", bar.y).set("width", 4.0);
    svg.empty("rect", mark.set("height", bar.height).set("fill", k_ink));
}

void draw_pill(SvgWriter& svg, const Card& card, const Box& box) {
    const double width = pill_width(card);
    const Box pill{box.x + box.width - k_pill_inset - width, box.y + box.height - k_pill_height / 2, width,
                   k_pill_height};
    SvgWriter::Attributes frame;
    frame.set("x", pill.x).set("y", pill.y).set("width", pill.width).set("height", pill.height);
    frame.set("rx", pill.height / 2).set("fill", k_white).set("stroke", k_border);
    svg.empty("rect", frame);
    write_text(svg, pill.x + pill.width / 2, pill.y + 10.5, k_small_font, k_quiet_ink, card.ties, TextAnchor::middle);
}

}  // namespace

BoxSize card_size(const Card& card) {
    const double figures = text_width(card.figures, k_figures_font) + 12 + text_width(card.node_name, k_small_font);
    const double below = text_width(card.below, k_figures_font);
    double width =
        std::max({k_least_width, headline_width(card) + 2 * k_pad, figures + 2 * k_pad, below + 2 * k_pad});
    // Branches leave from the middle of the lower edge, so a pill keeps to its half.
    if (!card.ties.empty()) width = std::max(width, 2 * (pill_width(card) + k_pill_inset + 6));
    double height = 2 * k_pad - 2 + k_headline_line * static_cast<double>(card.headline.size()) + k_figures_line - 2;
    height += k_bar_gap + k_bar_height;
    if (!card.below.empty()) height += k_figures_line;
    return {std::ceil(width), std::ceil(height)};
}

void draw_card(SvgWriter& svg, const Card& card, const Box& box) {
    SvgWriter::Attributes group;
    svg.open("g", group.set("role", "group"));
    svg.text("title", {}, card.details);
    draw_frame(svg, card, box);
    const double baseline = draw_headline(svg, card, box);
    write_text(svg, box.x + k_pad, baseline, k_figures_font, k_quiet_ink, card.figures);
    write_text(svg, box.x + box.width - k_pad, baseline, k_small_font, k_border, card.node_name, TextAnchor::end);
    const Box bar{box.x + k_pad, baseline + k_bar_gap, box.width - 2 * k_pad, k_bar_height};
    if (card.value)
        draw_value(svg, card, bar);
    else
        draw_segments(svg, card, bar);
    if (!card.below.empty())
        write_text(svg, box.x + k_pad, bar.y + bar.height + k_figures_line - 2, k_figures_font, k_ink, card.below);
    if (!card.ties.empty()) draw_pill(svg, card, box);
    svg.close();
}

}  // namespace regrove::draw
