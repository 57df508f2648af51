// The operations of a search on a region that is known at some cells only: the rest may be decided in any way.
//
// A tensor then holds points instead of bits: `cells` of them, each a class and its slice on every axis, sorted. Bounds
// that rest on all cells of a grid (every hyperplane is needed, sensitivity, degree) do not hold; fooling sets do: two
// points can share a leaf only if the smallest box around them holds no point of another class.
#pragma once

#include <optional>
#include <span>

#include "regrove/bornagain/tensor_kernels.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"

#include "root_tensor.hpp"

namespace regrove::bornagain {

const TensorKernels& point_kernels();

/// The region of given cells (axes numbers a cell, at least one) within their range; nothing when they differ on more
/// than k_max_tensor_axes axes, or have more than 65535 coordinates on one.
std::optional<RootTensor> root_points(const cellspace::CompiledEnsemble& ensemble,
                                      std::span<const std::uint32_t> cells, const cellspace::Box& box);

}  // namespace regrove::bornagain
