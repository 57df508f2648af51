// One mass cell for each pair of classes.
#include "regrove/metric/confusion_matrix.hpp"

#include "mass_cells.hpp"

namespace regrove::metric {

Summary accumulate_confusion(const Predictions& p) {
    if (p.rows == 0) return {};
    MassCells cells(std::size_t{p.classes} * p.classes, p);
    for (std::size_t r = 0; r < p.rows; ++r) {
        const auto truth = static_cast<std::size_t>(p.true_class[r]);
        cells.add(truth * p.classes + static_cast<std::size_t>(p.predicted_class[r]), p.weight_of(r));
    }
    return cells.take();
}

std::vector<double> finish_confusion(const Summary& merged, std::uint32_t classes) {
    return masses(merged.words, std::size_t{classes} * classes);
}

}  // namespace regrove::metric
