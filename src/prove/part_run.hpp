// Running the parts of a proof in parallel so that the answer is that of running them one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "box_search.hpp"

namespace regrove::prove {

struct PartAnswer {
    Outcome outcome = Outcome::out;
    std::uint64_t boxes = 0;
    std::vector<std::uint32_t> found;
};

/// The answer of the first part that is not proven, with the boxes up to there; proven when there is none. `run` is
/// called by several threads; it makes its own state. Parts behind one that ends the proof may be left out.
PartAnswer run_parts(std::size_t parts, std::uint64_t most_boxes, const ProofLimits& limits,
                     const std::function<PartAnswer(std::size_t part, Budget& budget)>& run);

}  // namespace regrove::prove
