// The fuzz targets: each takes any bytes, and either they mean something that holds together or they are refused.
//
// A target throws regrove::Error to refuse (that is fine), and FuzzFinding when something does not hold together.
// Crashes and sanitizer reports speak for themselves.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::fuzz {

struct FuzzFinding : std::logic_error {
    using std::logic_error::logic_error;
};

inline void require(bool holds, const char* what) {
    if (!holds) throw FuzzFinding(what);
}

struct Target {
    std::string name;  ///< also the folder of its corpus
    void (*run)(std::string_view bytes);
    /// Pieces of text that the format knows, for mutations.
    std::vector<std::string> words;
    /// How many mutations a replay tries; fewer where each is written to a file.
    std::uint64_t mutations = 6000;
};

std::span<const Target> all_targets();

// One from each file of this folder.
Target libsvm_target();
Target csv_target();
Target bytes_target();
Target idx_target();
Target model_target();
Target number_target();

}  // namespace regrove::fuzz
