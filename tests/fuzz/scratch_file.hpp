// Bytes as a file, for targets whose reader takes a path; one file a process, written over each time.
#pragma once

#include <string>
#include <string_view>

#include "support/scratch_folder.hpp"

namespace regrove::fuzz {

inline std::string as_file(std::string_view bytes) {
    static const test::ScratchFolder folder;
    return folder.write("input", bytes);
}

}  // namespace regrove::fuzz
