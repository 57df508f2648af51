// Small files as whole texts: read at once, replaced so that either the old or the new text is there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace regrove::store {

/// nullopt when there is no such file; throws IoError when there is one that cannot be read.
std::optional<std::string> read_if_there(const std::string& path);

/// Writes a synced temporary beside `path` and leaves it there: rename_durably() gives it its name.
std::string write_temporary(const std::string& path, std::string_view text);
/// Renames within a folder and syncs the folder.
void rename_durably(const std::string& from, const std::string& to);

/// Both.
void replace_durably(const std::string& path, std::string_view text);

}  // namespace regrove::store
