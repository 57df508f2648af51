// The page around every picture: paper, heading, legend, value scale, notes, in one style.
#pragma once

#include <string>
#include <vector>

#include "regrove/draw/svg_writer.hpp"
#include "regrove/draw/text_metrics.hpp"
#include "regrove/draw/tree_picture.hpp"

#include "ink.hpp"
#include "page_text.hpp"

namespace regrove::draw {

constexpr double k_margin = 24;
constexpr double k_heading_height = 54;  ///< of draw_heading, from the upper margin down
constexpr Font k_title_font{20, FontWeight::bold};
constexpr Font k_subtitle_font{13};
constexpr Font k_legend_font{12};
constexpr Font k_note_font{11};

/// Title and subtitle in the upper left corner of the page.
void draw_heading(SvgWriter& svg, const std::string& title, const std::string& subtitle);
/// Width in pixels that the heading needs, without margins.
double heading_width(const std::string& title, const std::string& subtitle);

/// Swatches with their texts from `y` down, as many lines as they need; returns the y below.
double draw_legend(SvgWriter& svg, const std::vector<LegendEntry>& legend, double y, double page_width);
/// The colours of a regression's values between their ends; returns the y below.
double draw_scale(SvgWriter& svg, const ValueScale& scale, double y);

/// Writes a note, broken at blanks to `width`; returns the y below.
double draw_note(SvgWriter& svg, const std::string& note, double x, double y, double width);

/// The document around `body`, whose elements are all closed. `description` is for those who cannot see the picture.
struct PageFrame {
    double width = 0;
    double height = 0;
    std::string title;
    std::string description;
};
std::string finish_page(const PageFrame& frame, SvgWriter body);

}  // namespace regrove::draw
