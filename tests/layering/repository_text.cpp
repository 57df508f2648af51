// What no file of the repository may hold: places of one machine, unfinished work, large files.
#include "layering/repository_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>

namespace regrove::layering {
namespace {

namespace fs = std::filesystem;

struct Forbidden {
    std::string text;
    std::string why;
    bool whole_word;
};

/// The texts are put together from pieces, or this file would hold them itself.
const std::vector<Forbidden>& forbidden_texts() {
    static const std::vector<Forbidden> list = [] {
        std::vector<Forbidden> texts;
        for (const std::string folder : {"work", "root", "tmp", "home"}) {
            texts.push_back({"/" + folder + "/", "names a folder of one machine", false});
        }
        for (const std::string mark : {"TO"
                                       "DO",
                                       "FIX"
                                       "ME",
                                       "XX"
                                       "X"}) {
            texts.push_back({mark, "marks unfinished work", true});
        }
        return texts;
    }();
    return list;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `line` holds the text; a path must not be the tail of a longer one ("build/tmp/" is fine).
bool holds(std::string_view line, const Forbidden& forbidden) {
    for (std::size_t at = line.find(forbidden.text); at != std::string_view::npos;
         at = line.find(forbidden.text, at + 1)) {
        const std::size_t end = at + forbidden.text.size();
        const bool starts =
            at == 0 || (!is_word_character(line[at - 1]) && line[at - 1] != '.' && line[at - 1] != '}');
        const bool ends = !forbidden.whole_word || end == line.size() || !is_word_character(line[end]);
        if (starts && ends) return true;
    }
    return false;
}

struct ClosePipe {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
};

/// Empty when git is absent or `root` is no checkout.
std::vector<std::string> tracked_files(const fs::path& root) {
    const std::string command = "git -c safe.directory='*' -C '" + root.string() + "' ls-files -z 2>/dev/null";
    const std::unique_ptr<std::FILE, ClosePipe> pipe(popen(command.c_str(), "r"));
    std::string listing;
    std::array<char, 4096> buffer{};
    while (pipe != nullptr) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe.get());
        if (count == 0) break;
        listing.append(buffer.data(), count);
    }
    std::vector<std::string> files;
    for (std::size_t begin = 0; begin < listing.size();) {
        const std::size_t end = std::min(listing.find('\0', begin), listing.size());
        files.push_back(listing.substr(begin, end - begin));
        begin = end + 1;
    }
    return files;
}

std::vector<std::string> files_on_disk(const fs::path& root) {
    std::vector<std::string> files;
    for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
        const std::string name = at->path().filename().string();
        const bool left_out = name.starts_with("build") || name.starts_with("run") || name == ".git";
        if (at->is_directory() && left_out && (at.depth() == 0)) {
            at.disable_recursion_pending();
        } else if (at->is_regular_file()) {
            files.push_back(at->path().lexically_relative(root).generic_string());
        }
    }
    return files;
}

}  // namespace

std::vector<std::string> find_forbidden_text(std::string_view text, const std::string& file) {
    std::vector<std::string> found;
    if (text.find('\0') != std::string_view::npos) return found;  // not text
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        ++number;
        for (const auto& forbidden : forbidden_texts()) {
            if (holds(line, forbidden)) {
                found.push_back(file + ":" + std::to_string(number) + ": '" + forbidden.text + "' " + forbidden.why);
            }
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

std::vector<std::string> repository_files(const fs::path& root) {
    std::vector<std::string> files = tracked_files(root);
    if (files.empty()) files = files_on_disk(root);
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace regrove::layering
