// Reads the modules and their doors from the regrove_module(...) lines of a CMake file.
#include "layering/module_doors.hpp"

#include <algorithm>
#include <sstream>

namespace regrove::layering {
namespace {

constexpr std::string_view k_call = "regrove_module(";

/// The text with every comment replaced by blanks, so that line numbers stay.
std::string without_comments(std::string_view text) {
    std::string result(text);
    bool comment = false;
    for (char& c : result) {
        if (c == '\n') {
            comment = false;
        } else if (c == '#' || comment) {
            comment = true;
            c = ' ';
        }
    }
    return result;
}

Module read_call(const std::string& arguments) {
    Module module;
    std::istringstream words(arguments);
    words >> module.name;
    bool in_doors = false;
    for (std::string word; words >> word;) {
        if (word == "DOORS" || word == "LIBRARIES") {
            in_doors = word == "DOORS";
        } else if (in_doors) {
            module.doors.push_back(word);
        }
    }
    return module;
}

}  // namespace

std::vector<Module> read_modules(std::string_view cmake_text) {
    const std::string text = without_comments(cmake_text);
    std::vector<Module> modules;
    for (std::size_t at = text.find(k_call); at != std::string::npos; at = text.find(k_call, at + 1)) {
        const std::size_t begin = at + k_call.size();
        const std::size_t end = std::min(text.find(')', begin), text.size());
        Module module = read_call(text.substr(begin, end - begin));
        module.line =
            1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        modules.push_back(std::move(module));
    }
    return modules;
}

}  // namespace regrove::layering
