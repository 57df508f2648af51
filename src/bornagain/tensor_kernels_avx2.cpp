// The kernels compiled for processors with avx2.
#define REGROVE_KERNELS kernels_avx2
#include "kernels/table.hpp"
#include "tensor_kernels_rows.hpp"

namespace regrove::bornagain {

const TensorKernels& avx2_tensor_kernels() {
    static const TensorKernels table = REGROVE_KERNELS::make_table("avx2");
    return table;
}

}  // namespace regrove::bornagain
