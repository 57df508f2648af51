// Cards become labels of several lines; Graphviz chooses the places.
#include "regrove/draw/tree_dot.hpp"

#include <string_view>

namespace regrove::draw {
namespace {

// A quoted string of the DOT language; "\n" begins a new line in a label.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string label(const Card& card) {
    std::string text;
    for (const std::string& line : card.headline) text += line + "\n";
    if (!card.answer_share.empty()) text.insert(text.size() - 1, " " + card.answer_share);
    text += card.figures;
    for (const Segment& segment : card.segments) text += "\n" + segment.name + " " + segment.percent;
    if (!card.ties.empty()) text += "\n" + card.ties;
    if (!card.below.empty()) text += "\n" + card.below;
    return text;
}

std::string card_line(const Card& card, std::size_t i) {
    std::string line =
        "  n" + std::to_string(i) + " [label=" + quoted(label(card)) + ", tooltip=" + quoted(card.details);
    if (card.kind == CardKind::leaf)
        line += ", style=\"rounded,filled\", color=\"" + to_hex(card.accent) + "\", fillcolor=\"" +
                to_hex(mix(card.accent, k_white, 12)) + "\"";
    if (card.kind == CardKind::cut) line += ", style=dashed";
    return line + "];\n";
}

std::string branch_line(const Branch& branch, const Card& child) {
    const auto hundredths = static_cast<unsigned>(child.share * 400 + 100.5);
    const std::string part = std::to_string(hundredths % 100);
    std::string text = branch.text;
    if (branch.missing == MissingMark::would_go_here) text += " (missing)";
    return "  n" + std::to_string(branch.parent) + " -> n" + std::to_string(branch.child) +
           " [label=" + quoted(text) + ", penwidth=" + std::to_string(hundredths / 100) + "." +
           (part.size() < 2 ? "0" : "") + part + "];\n";
}

}  // namespace

std::string tree_dot(const TreePicture& picture, OrientationChoice orientation) {
    std::string heading = picture.title + "\n" + picture.subtitle;
    if (picture.scale)
        heading += "\n" + picture.scale->name + " from " + picture.scale->low + " to " + picture.scale->high;
    for (const std::string& note : picture.notes) heading += "\n" + note;
    if (picture.explain_would_go_here)
        heading += "\n(missing): a row without a value would go this way; training saw none.";
    std::string dot = "digraph tree {\n  graph [rankdir=";
    dot += orientation == OrientationChoice::right ? "LR" : "TB";
    dot += ", labelloc=t, labeljust=l, fontname=\"DejaVu Sans\", label=" + quoted(heading) + "];\n";
    dot += "  node [shape=box, fontname=\"DejaVu Sans\", fontsize=11];\n";
    dot += "  edge [fontname=\"DejaVu Sans\", fontsize=10, arrowhead=none];\n";
    for (std::size_t i = 0; i < picture.cards.size(); ++i) dot += card_line(picture.cards[i], i);
    for (const Branch& branch : picture.branches) dot += branch_line(branch, picture.cards[branch.child]);
    return dot + "}\n";
}

}  // namespace regrove::draw
