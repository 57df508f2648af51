// The loops compiled for any processor.
#define REGROVE_SCORE_KERNELS score_kernels_plain
#define REGROVE_VECTOR_BYTES 16
#include "score_kernels_body.hpp"

namespace regrove::infer {

const ScoreKernels& plain_score_kernels() {
    static const ScoreKernels table = REGROVE_SCORE_KERNELS::make_table("plain");
    return table;
}

}  // namespace regrove::infer
