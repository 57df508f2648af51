// What no file of the repository may hold: places of one machine, unfinished work, large files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::layering {

/// A file of the repository may not be larger than this; larger data come from outside ($REGROVE_DATA).
constexpr std::uint64_t k_largest_file_bytes = 1U << 20U;

/// "file:line: what" for each line that names a folder of one machine or marks work as unfinished.
std::vector<std::string> find_forbidden_text(std::string_view text, const std::string& file);

/// The files under version control, relative to `root`; without git, every file outside of build, run and hidden
/// folders.
std::vector<std::string> repository_files(const std::filesystem::path& root);

}  // namespace regrove::layering
