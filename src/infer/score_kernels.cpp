// Choosing kernels by what the processor can do.
#include "score_kernels.hpp"

namespace regrove::infer {

namespace {

#ifdef REGROVE_X86_KERNELS
// All that the files are compiled for: a virtual machine may hide some of it.
bool has_avx2() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
}

bool has_avx512() {
    return has_avx2() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}
#endif

}  // namespace

const ScoreKernels& score_kernels([[maybe_unused]] ProcessorKernels widest) {
#ifdef REGROVE_X86_KERNELS
    static const bool can_avx512 = has_avx512();
    static const bool can_avx2 = has_avx2();
    if (widest >= ProcessorKernels::avx512 && can_avx512) return avx512_score_kernels();
    if (widest >= ProcessorKernels::avx2 && can_avx2) return avx2_score_kernels();
#endif
    return plain_score_kernels();
}

}  // namespace regrove::infer
