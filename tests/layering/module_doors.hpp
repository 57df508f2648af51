// Reads the modules and their doors from the regrove_module(...) lines of a CMake file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regrove::layering {

/// A room of the house: the modules whose headers it may include, besides its own.
struct Module {
    std::string name;
    std::vector<std::string> doors;
    int line = 0;  ///< of the declaration, from one
};

/// All calls of regrove_module in the order of the text; comments and the function's definition are passed over.
std::vector<Module> read_modules(std::string_view cmake_text);

}  // namespace regrove::layering
