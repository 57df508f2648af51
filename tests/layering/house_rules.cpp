// Which includes the architecture allows, and what a source tree does against it.
#include "layering/house_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "layering/include_scan.hpp"
#include "layering/module_doors.hpp"
#include "layering/ring.hpp"

namespace regrove::layering {
namespace {

namespace fs = std::filesystem;
using Messages = std::vector<std::string>;

constexpr const char* k_modules_file = "cmake/RegroveModules.cmake";
constexpr std::string_view k_jobs = "jobs";

/// An outside library and the path prefixes of the files that may include it.
struct OutsideRule {
    std::string_view library;
    std::vector<std::string_view> headers;  ///< prefixes of the included path
    std::vector<std::string_view> owners;   ///< prefixes of the including file
    bool sources_only = false;              ///< not in headers, lest everybody who includes them needs it too
};

const std::vector<OutsideRule>& outside_rules() {
    static const std::vector<OutsideRule> rules = {
        {"MPI", {"mpi.h"}, {"include/regrove/comm/", "src/comm/", "src/store/"}, true},
        {"HDF5", {"hdf5", "H5", "highfive/"}, {"include/regrove/store/", "src/store/"}},
        {"Boost.Serialization", {"boost/serialization/", "boost/archive/"}, {"include/regrove/store/", "src/store/"}},
        {"TBB", {"tbb/", "oneapi/tbb", "oneapi/dpl", "execution"}, {"src/core/"}, true},
        {"CLI11", {"CLI/"}, {"include/regrove/pipeline/", "src/pipeline/"}},
        {"toml++", {"toml++/", "toml.hpp"}, {"include/regrove/pipeline/", "src/pipeline/", "src/ingest/"}},
    };
    return rules;
}

bool starts_with_any(std::string_view text, const std::vector<std::string_view>& prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) { return text.starts_with(prefix); });
}

bool is_header(std::string_view file) { return file.ends_with(".hpp") || file.ends_with(".h"); }

/// The room of a file by its path ("include/regrove/data/x.hpp" and "src/data/x.cpp" are in data); "jobs" for jobs/.
std::optional<std::string> room_of(std::string_view file) {
    for (const std::string_view prefix : {"include/regrove/", "src/"}) {
        if (!file.starts_with(prefix)) continue;
        const std::string_view rest = file.substr(prefix.size());
        const std::size_t slash = rest.find('/');
        return std::string(slash == std::string_view::npos ? std::string_view{} : rest.substr(0, slash));
    }
    if (file.starts_with("jobs/")) return std::string(k_jobs);
    return std::nullopt;
}

std::string place(const Include& include) { return include.file + ":" + std::to_string(include.line) + ": "; }

class House {
  public:
    explicit House(const fs::path& root) : root_(root), modules_(read_modules(read_text(root / k_modules_file))) {
        if (modules_.empty()) throw std::runtime_error(std::string("no regrove_module(...) in ") + k_modules_file);
        for (const auto& module : modules_) {
            doors_[module.name] = {module.doors.begin(), module.doors.end()};
        }
    }

    Messages violations() {
        check_doors();
        const auto files = source_files(root_, {"include", "src", "jobs"});
        if (files.empty()) throw std::runtime_error("no source files under " + root_.string());
        for (const auto& file : files) check_file(file);
        for (const auto& ring : find_rings(included_files_)) messages_.push_back("files include each other: " + ring);
        return std::move(messages_);
    }

  private:
    void check_doors() {
        Graph graph;
        for (const auto& module : modules_) {
            for (const auto& door : module.doors) {
                graph[module.name].push_back(door);
                if (!doors_.contains(door)) {
                    messages_.push_back(std::string(k_modules_file) + ":" + std::to_string(module.line) + ": " +
                                        module.name + " has a door to " + door + ", which is no module");
                }
            }
        }
        for (const auto& ring : find_rings(graph)) {
            messages_.push_back(std::string(k_modules_file) + ": doors form a ring: " + ring);
        }
    }

    void check_file(const std::string& file) {
        const auto room = room_of(file);
        if (!room || (*room != k_jobs && !doors_.contains(*room))) {
            messages_.push_back(file + ":1: lies in no module of " + k_modules_file);
            return;
        }
        for (const auto& include : read_includes(read_text(root_ / file), file)) {
            const std::string target = resolve(include);
            if (const auto target_room = room_of(target)) {
                included_files_[file].push_back(target);
                check_door(include, *room, *target_room);
            } else {
                check_outside(include);
            }
        }
    }

    /// The included file relative to the root when it is one of ours, else the path as written.
    std::string resolve(const Include& include) const {
        if (include.path.starts_with("regrove/")) return "include/" + include.path;
        const fs::path beside = (fs::path(include.file).parent_path() / include.path).lexically_normal();
        return fs::exists(root_ / beside) ? beside.generic_string() : include.path;
    }

    void check_door(const Include& include, const std::string& from, const std::string& to) {
        if (from == to) return;
        if (to == k_jobs) {
            messages_.push_back(place(include) + from + " includes a file of jobs/, which stands above it");
        } else if (!doors_.contains(to)) {
            messages_.push_back(place(include) + "'" + include.path + "' lies in no module of " + k_modules_file);
        } else if (from != k_jobs && !doors_.at(from).contains(to)) {
            messages_.push_back(place(include) + from + " has no door to " + to + " in " + k_modules_file);
        }
    }

    void check_outside(const Include& include) {
        for (const auto& rule : outside_rules()) {
            if (!starts_with_any(include.path, rule.headers)) continue;
            if (!starts_with_any(include.file, rule.owners)) {
                messages_.push_back(place(include) + "'" + include.path + "' belongs to " +
                                    std::string(rule.library) + ", which this room may not use");
            } else if (rule.sources_only && is_header(include.file)) {
                messages_.push_back(place(include) + "'" + include.path + "' (" + std::string(rule.library) +
                                    ") belongs in a source file, not in a header");
            }
        }
    }

    fs::path root_;
    std::vector<Module> modules_;
    std::map<std::string, std::set<std::string>> doors_;
    Graph included_files_;
    Messages messages_;
};

}  // namespace

std::vector<std::string> find_violations(const fs::path& root) { return House(root).violations(); }

}  // namespace regrove::layering
