// How a list of text files is laid out: one dialect, one list of columns, and where each file's body begins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/ingest/byte_source.hpp"
#include "regrove/ingest/dialect.hpp"
#include "regrove/ingest/text_options.hpp"

namespace regrove::ingest {

struct FileBody {
    std::string path;
    Encoding encoding = Encoding::plain;
    std::uint64_t file_bytes = 0;  ///< as stored
    std::uint64_t begin = 0;       ///< offset of the first record behind the header, decompressed
    std::uint64_t first_line = 1;  ///< line of that record
};

struct TextLayout {
    Dialect dialect;
    bool has_header = false;
    std::vector<std::string> names;  ///< of all columns; nameless ones are called column_<index>
    std::vector<FileBody> files;
};

/// Reads the beginning of each file. Throws IoError, or InputError when a file is no text, has no record at all,
/// names its columns otherwise than the first file, or when header and rows have different numbers of fields.
TextLayout read_layout(const std::vector<std::string>& paths, const TextOptions& options);

}  // namespace regrove::ingest
