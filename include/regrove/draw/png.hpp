// An SVG document as PNG bytes, by librsvg.
#pragma once

#include <string>
#include <string_view>

namespace regrove::draw {

/// `scale` pixels for one of the SVG. Throws LimitError when a side would have more pixels than a PNG surface can
/// have.
std::string png_from_svg(std::string_view svg, double scale);

}  // namespace regrove::draw
