// The loops compiled for processors with AVX2.
#define REGROVE_SCORE_KERNELS score_kernels_avx2
#define REGROVE_VECTOR_BYTES 32
#include "score_kernels_body.hpp"

namespace regrove::infer {

const ScoreKernels& avx2_score_kernels() {
    static const ScoreKernels table = REGROVE_SCORE_KERNELS::make_table("avx2");
    return table;
}

}  // namespace regrove::infer
