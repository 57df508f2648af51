// Choosing kernels by what the processor can do.
#include "regrove/bornagain/tensor_kernels.hpp"

#include "tensor_kernels_rows.hpp"

namespace regrove::bornagain {

std::vector<const TensorKernels*> runnable_tensor_kernels() {
    std::vector<const TensorKernels*> tables{&plain_tensor_kernels()};
#ifdef REGROVE_X86_KERNELS
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0)
        tables.push_back(&avx2_tensor_kernels());
#endif
    return tables;
}

const TensorKernels& tensor_kernels() {
    static const TensorKernels* const fastest = runnable_tensor_kernels().back();
    return *fastest;
}

}  // namespace regrove::bornagain
