// A piece of an input text, made fit for an error message.
#pragma once

#include <string>
#include <string_view>

namespace regrove::ingest {

/// The first bytes of `text` in single quotes: at most about 40 bytes, cut between UTF-8 characters with "..."
/// behind; control characters and bytes that are not UTF-8 are written \xNN.
std::string excerpt(std::string_view text);

}  // namespace regrove::ingest
