// What a drawn tree says, before it has any place on paper: cards, branches, legend and notes in plain words.
//
// Glossary of the module:
//   card      the box of a node: its question or answer, its rows, and a bar
//   bar       class shares side by side, or the place of a mean on the scale of all means
//   cut card  a card whose children are not drawn; it says how many nodes lie below
//   note      a line under the tree that explains a sign or says what is not drawn
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/draw/color.hpp"
#include "regrove/draw/text_metrics.hpp"
#include "regrove/draw/tidy_layout.hpp"
#include "regrove/draw/tree_drawing_options.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::draw {

constexpr Font k_headline_font{13, FontWeight::bold};
constexpr double k_max_text_width = 240;  ///< of a line in a card, in pixels

enum class CardKind : std::uint8_t { inner, leaf, cut };

/// Part of a classification card's bar.
struct Segment {
    double share = 0;
    Color color;
    std::string name;     ///< the class
    std::string percent;  ///< its share
};

/// A mean on the value scale, all in [0, 1]: where it is, and one standard deviation to either side.
struct ValueMark {
    double mean = 0;
    double low = 0;
    double high = 0;
};

struct Card {
    CardKind kind = CardKind::leaf;
    std::uint32_t left = k_no_box;  ///< index of a card
    std::uint32_t right = k_no_box;
    std::vector<std::string> headline;  ///< the question, or the answer
    std::string answer_share;           ///< beside the answer: its share; empty for questions and means
    std::string figures;                ///< rows and share of the weight
    std::string node_name;              ///< "#12", on leaves "leaf 3"
    std::string ties;                   ///< "2 ties", or empty
    std::string below;                  ///< on a cut card: what is not drawn
    std::vector<Segment> segments;
    std::optional<ValueMark> value;
    Color accent;         ///< of the answer
    double share = 1;     ///< of the root's weight
    std::string details;  ///< all figures, one a line
};

/// Where a row without a value goes.
enum class MissingMark : std::uint8_t { none, would_go_here, goes_here };

struct Branch {
    std::uint32_t parent = 0;
    std::uint32_t child = 0;
    bool yes = false;
    MissingMark missing = MissingMark::none;
    std::string text;  ///< "yes", "no, missing"
};

struct LegendEntry {
    Color color;
    std::string text;
};

/// The ends of a regression's value scale.
struct ValueScale {
    std::string name;
    std::string low;
    std::string high;
};

struct TreePicture {
    std::string title;
    std::string subtitle;
    std::vector<LegendEntry> legend;
    std::optional<ValueScale> scale;
    std::vector<Card> cards;       ///< in pre-order
    std::vector<Branch> branches;  ///< in the order of their child cards
    std::vector<std::string> notes;
    bool explain_would_go_here = false;  ///< a branch carries the open mark
    bool explain_goes_here = false;      ///< a branch carries the filled mark
};

/// Throws ConfigError when the ensemble has no tree of the number asked for.
TreePicture describe_tree(const model::Ensemble& ensemble, const TreeDrawingOptions& options);

}  // namespace regrove::draw
