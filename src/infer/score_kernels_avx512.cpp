// The loops compiled for processors with AVX-512.
#define REGROVE_SCORE_KERNELS score_kernels_avx512
#define REGROVE_VECTOR_BYTES 64
#include "score_kernels_body.hpp"

namespace regrove::infer {

const ScoreKernels& avx512_score_kernels() {
    static const ScoreKernels table = REGROVE_SCORE_KERNELS::make_table("avx512");
    return table;
}

}  // namespace regrove::infer
