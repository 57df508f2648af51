// Refuses bytes that are no UTF-8 text, and counts lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace regrove::ingest {

/// Line ends (LF, CRLF, CR alone) in `text`; a CR that ends `text` counts.
std::uint64_t count_line_ends(std::string_view text);

/// Throws InputError with line and column when `text`, which begins at line `first_line` of `file`, holds a NUL byte
/// or is not valid UTF-8; the message says how to convert the file.
void check_text(std::string_view text, const std::string& file, std::uint64_t first_line);

/// Throws InputError when a file that begins with `head` is UTF-16 or UTF-32 by its byte order mark.
void check_byte_order_mark(std::string_view head, const std::string& file);

/// Length of a UTF-8 byte order mark at the beginning of `head`: 3 or 0.
std::size_t byte_order_mark_bytes(std::string_view head);

}  // namespace regrove::ingest
