// The kernels compiled for processors with avx512.
#define REGROVE_KERNELS kernels_avx512
#include "kernels/table.hpp"
#include "tensor_kernels_rows.hpp"

namespace regrove::bornagain {

const TensorKernels& avx512_tensor_kernels() {
    static const TensorKernels table = REGROVE_KERNELS::make_table("avx512");
    return table;
}

}  // namespace regrove::bornagain
