// The kernels for each kind of processor.
#pragma once

#include "regrove/bornagain/tensor_kernels.hpp"

namespace regrove::bornagain {

const TensorKernels& plain_tensor_kernels();
#ifdef REGROVE_X86_KERNELS
const TensorKernels& avx2_tensor_kernels();
#endif

}  // namespace regrove::bornagain
