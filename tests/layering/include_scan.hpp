// Lists the #include lines of a source tree.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::layering {

/// One #include line.
struct Include {
    std::string file;  ///< the including file, relative to the root of the tree, with forward slashes
    int line = 0;      ///< from one
    std::string path;  ///< what stands between the quotes or brackets
};

/// The includes of one file's text. Line and block comments do not count.
std::vector<Include> read_includes(std::string_view text, const std::string& file);

/// The C and C++ files under the given folders of `root`, sorted, relative to it; absent folders are passed over.
std::vector<std::string> source_files(const std::filesystem::path& root, const std::vector<std::string>& folders);

/// A whole file's bytes; throws std::runtime_error when it cannot be read.
std::string read_text(const std::filesystem::path& path);

}  // namespace regrove::layering
