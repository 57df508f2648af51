// Lists the #include lines of a source tree.
#include "layering/include_scan.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace regrove::layering {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
    constexpr std::array<std::string_view, 7> k_extensions = {".hpp", ".cpp", ".h", ".c", ".cc", ".ipp", ".inl"};
    return std::find(k_extensions.begin(), k_extensions.end(), path.extension().string()) != k_extensions.end();
}

/// The line without comments; `in_block` says whether a block comment is open, before and after.
std::string strip_comments(std::string_view line, bool& in_block) {
    std::string result;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::string_view next = line.substr(i, 2);
        if (in_block) {
            if (next == "*/") {
                in_block = false;
                ++i;
            }
        } else if (next == "//" && result.find('"') == std::string::npos && result.find('<') == std::string::npos) {
            break;
        } else if (next == "/*") {
            in_block = true;
            ++i;
        } else {
            result += line[i];
        }
    }
    return result;
}

/// What an #include line names, or empty when the line is none.
std::string included_path(std::string_view line) {
    const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skip_blanks();
    if (!line.starts_with('#')) return {};
    line.remove_prefix(1);
    skip_blanks();
    if (!line.starts_with("include")) return {};
    line.remove_prefix(std::string_view("include").size());
    skip_blanks();
    if (line.empty() || (line.front() != '"' && line.front() != '<')) return {};
    const char close = line.front() == '"' ? '"' : '>';
    line.remove_prefix(1);
    return std::string(line.substr(0, line.find(close)));
}

}  // namespace

std::vector<Include> read_includes(std::string_view text, const std::string& file) {
    std::vector<Include> includes;
    bool in_block = false;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        ++number;
        std::string path = included_path(strip_comments(text.substr(0, end), in_block));
        if (!path.empty()) includes.push_back({file, number, std::move(path)});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return includes;
}

std::vector<std::string> source_files(const fs::path& root, const std::vector<std::string>& folders) {
    std::vector<std::string> files;
    for (const auto& folder : folders) {
        if (!fs::is_directory(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (entry.is_regular_file() && is_source(entry.path())) {
                files.push_back(entry.path().lexically_relative(root).generic_string());
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace regrove::layering
