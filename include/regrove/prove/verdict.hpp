// What a proof may cost, and how it ends.
//
// Glossary of the module:
//   proof       branch and bound over boxes of cells: a box is settled when bounds on the classes' sums leave one class,
//               else it is cut in two at a question that can still be asked there
//   reachable   a leaf is reachable in a box when no question above it has one answer for all cells of the box that
//               leads elsewhere; what is called reachable may be too much, never too little
//   undecided   a limit was met first; it says nothing about the answer
#pragma once

#include <cstdint>
#include <functional>

namespace regrove::prove {

struct ProofLimits {
    std::uint64_t max_boxes = 0;  ///< zero: none
    /// Asked now and then, by several threads at a time.
    std::function<bool()> stop = [] { return false; };
};

enum class Verdict : std::uint8_t { yes, no, undecided };

}  // namespace regrove::prove
