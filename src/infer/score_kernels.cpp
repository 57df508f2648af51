// Choosing kernels by what the processor can do.
#include "score_kernels.hpp"

namespace regrove::infer {

std::vector<const ScoreKernels*> runnable_score_kernels() {
    std::vector<const ScoreKernels*> tables{&plain_score_kernels()};
#ifdef REGROVE_X86_KERNELS
    // All that score_kernels_avx2.cpp is compiled for: a virtual machine may hide some of it.
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
        __builtin_cpu_supports("bmi2") != 0)
        tables.push_back(&avx2_score_kernels());
#endif
    return tables;
}

const ScoreKernels& score_kernels() {
    static const ScoreKernels* const fastest = runnable_score_kernels().back();
    return *fastest;
}

}  // namespace regrove::infer
