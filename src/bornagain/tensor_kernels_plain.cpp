// The kernels compiled for any processor.
#define REGROVE_KERNELS kernels_plain
#include "kernels/table.hpp"
#include "tensor_kernels_rows.hpp"

namespace regrove::bornagain {

const TensorKernels& plain_tensor_kernels() {
    static const TensorKernels table = REGROVE_KERNELS::make_table("plain");
    return table;
}

}  // namespace regrove::bornagain
