// Whether an ensemble has one class in all cells of a box.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/prove/verdict.hpp"

namespace regrove::prove {

struct ConstantClass {
    Verdict verdict = Verdict::undecided;
    std::uint32_t class_index = 0;     ///< of the box's low corner
    std::vector<std::uint32_t> other;  ///< verdict no: a cell of another class
    std::uint64_t boxes = 0;
};

/// Asks about many boxes of one ensemble, one thread at a time; the ensemble must outlive it. Nothing is allocated
/// between the first questions and the last but what `other` needs.
class ConstantClassProver {
  public:
    explicit ConstantClassProver(const cellspace::CompiledEnsemble& ensemble);
    ~ConstantClassProver();
    ConstantClassProver(ConstantClassProver&&) noexcept;
    ConstantClassProver& operator=(ConstantClassProver&&) noexcept;

    ConstantClass prove(const cellspace::Box& box, const ProofLimits& limits = {});

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The same for one box.
ConstantClass constant_class(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                             const ProofLimits& limits = {});

}  // namespace regrove::prove
