// Names tell numbers, manifests tell the rest.
#include "checkpoint_folder.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

#include "file_bytes.hpp"
#include "small_file.hpp"

namespace regrove::store {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view k_prefix = "gen-";
constexpr std::string_view k_partial = ".partial-";

/// nullopt for names of other things.
std::optional<std::uint64_t> number_of(const std::string& name) {
    const auto dot = name.find('.');
    if (!name.starts_with(k_prefix) || dot == std::string::npos) return std::nullopt;
    const auto number = parse_int64(name.substr(k_prefix.size(), dot - k_prefix.size()));
    if (number.status != NumberStatus::ok || number.value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(number.value);
}

bool is_partial(const fs::path& path) { return path.filename().string().find(k_partial) != std::string::npos; }

std::vector<fs::path> entries_of(const std::string& folder) {
    std::error_code error;
    std::vector<fs::path> paths;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        paths.push_back(entry->path());
    if (error && error != std::errc::no_such_file_or_directory) throw io_error("read", folder, error.value());
    std::ranges::sort(paths);
    return paths;
}

FoundGeneration read_generation(const std::string& folder, const std::string& name, const std::string& text) {
    FoundGeneration found;
    found.name = name;
    found.number = number_of(name).value_or(0);
    try {
        found.manifest = parse_manifest(text);
    } catch (const FormatError& error) {
        found.damage = "'" + folder + "/" + name + "/" + k_manifest_name + "' is damaged: " + error.what();
    }
    return found;
}

/// A damaged manifest's epoch is unknown: its number decides.
bool is_newer(const FoundGeneration& a, const FoundGeneration& b) {
    if (a.manifest && b.manifest && a.manifest->epoch != b.manifest->epoch)
        return a.manifest->epoch > b.manifest->epoch;
    return a.number != b.number ? a.number > b.number : a.name > b.name;
}

/// is_newer is no strict order when manifests are damaged, so the readable ones are sorted and the others put between.
void sort_newest_first(std::vector<FoundGeneration>& generations) {
    const auto damaged =
        std::ranges::stable_partition(generations, [](const FoundGeneration& g) { return g.manifest.has_value(); });
    std::vector<FoundGeneration> others(std::make_move_iterator(damaged.begin()),
                                        std::make_move_iterator(damaged.end()));
    generations.erase(damaged.begin(), damaged.end());
    std::ranges::sort(generations, is_newer);
    for (auto& other : others) {
        const auto at = std::ranges::find_if(generations, [&](const auto& g) { return is_newer(other, g); });
        generations.insert(at, std::move(other));
    }
}

/// What is in a generation's folder but not in `referred`.
void remove_from(const fs::path& generation, const std::string& name, const std::set<std::string>& referred) {
    std::error_code ignored;
    if (fs::remove(generation / k_manifest_name, ignored)) sync_folder_of((generation / k_manifest_name).string());
    for (const auto& file : entries_of(generation.string())) {
        if (!referred.contains(name + "/" + file.filename().string())) fs::remove(file, ignored);
    }
    fs::remove(generation, ignored);  // fails when it is not empty, as it should
}

}  // namespace

std::string generation_name(std::uint64_t number, const std::string& incarnation) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*s%06llu", static_cast<int>(k_prefix.size()), k_prefix.data(),
                  static_cast<unsigned long long>(number));
    return std::string(text) + "." + incarnation;
}

FolderContents read_folder(const std::string& folder) {
    FolderContents contents;
    for (const auto& path : entries_of(folder)) {
        const std::string name = path.filename().string();
        const auto number = number_of(name);
        if (!number) continue;
        contents.last_number = std::max(contents.last_number, *number);
        const auto text = read_if_there((path / k_manifest_name).string());
        if (!text) {
            contents.incomplete.push_back(name);
            continue;
        }
        contents.generations.push_back(read_generation(folder, name, *text));
        const auto& manifest = contents.generations.back().manifest;
        if (manifest) contents.last_epoch = std::max(contents.last_epoch, manifest->epoch);
    }
    sort_newest_first(contents.generations);
    return contents;
}

void remove_generations(const std::string& folder, const std::set<std::string>& kept) {
    std::set<std::string> referred;
    for (const auto& generation : read_folder(folder).generations) {
        if (!kept.contains(generation.name) || !generation.manifest) continue;
        for (const auto& file : generation.manifest->files) referred.insert(file.path);
    }
    std::error_code ignored;
    for (const auto& path : entries_of(folder)) {
        const std::string name = path.filename().string();
        if (number_of(name)) {
            if (!kept.contains(name)) remove_from(path, name, referred);
        } else if (is_partial(path)) {
            fs::remove(path, ignored);
        }
    }
}

}  // namespace regrove::store
