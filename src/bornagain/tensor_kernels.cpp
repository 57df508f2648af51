// Choosing kernels by what the processor can do.
#include "regrove/bornagain/tensor_kernels.hpp"

#include "tensor_kernels_rows.hpp"

namespace regrove::bornagain {

std::vector<const TensorKernels*> runnable_tensor_kernels() {
    std::vector<const TensorKernels*> tables{&plain_tensor_kernels()};
#ifdef REGROVE_X86_KERNELS
    const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    if (avx2) tables.push_back(&avx2_tensor_kernels());
    if (avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
        __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0)
        tables.push_back(&avx512_tensor_kernels());
#endif
    return tables;
}

const TensorKernels& tensor_kernels() {
    static const TensorKernels* const fastest = runnable_tensor_kernels().back();
    return *fastest;
}

}  // namespace regrove::bornagain
