// Any bytes as one line of text that a picture may hold.
#pragma once

#include <string>
#include <string_view>

namespace regrove::draw {

/// Invalid UTF-8 and characters that XML forbids become U+FFFD; line breaks and tabs become spaces.
std::string clean_text(std::string_view bytes);

}  // namespace regrove::draw
