// Two exact sums: losses and mass.
#include "mean_loss.hpp"

#include <array>
#include <cmath>

#include "mass_cells.hpp"

namespace regrove::metric {

Summary sum_losses(const Predictions& p, const RowLoss& loss) {
    if (p.rows == 0) return {};
    std::array<ExactSum, 2> loss_and_mass;
    for (std::size_t r = 0; r < p.rows; ++r) {
        const double own = loss(p.true_value[r], p.predicted_value[r]);
        if (std::isfinite(own))
            loss_and_mass[0].add_product(p.weight_of(r), own);
        else
            loss_and_mass[0].add(own);
        loss_and_mass[1].add(p.weight_of(r));
    }
    return to_summary(loss_and_mass);
}

double mean_loss(const Summary& merged, std::uint32_t) {
    return exact_sum_at(merged, 0).value() / exact_sum_at(merged, 1).value();
}

}  // namespace regrove::metric
