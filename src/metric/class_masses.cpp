// Three mass cells a class, class by class.
#include "class_masses.hpp"

#include "mass_cells.hpp"

namespace regrove::metric {

Summary accumulate_class_masses(const Predictions& p) {
    if (p.rows == 0) return {};
    MassCells cells(std::size_t{3} * p.classes, p);
    for (std::size_t r = 0; r < p.rows; ++r) {
        const auto truth = static_cast<std::size_t>(p.true_class[r]);
        const auto predicted = static_cast<std::size_t>(p.predicted_class[r]);
        const double weight = p.weight_of(r);
        cells.add(3 * truth, weight);
        cells.add(3 * predicted + 1, weight);
        if (truth == predicted) cells.add(3 * truth + 2, weight);
    }
    return cells.take();
}

std::vector<ClassMasses> finish_class_masses(const Summary& merged, std::uint32_t classes) {
    const auto mass = masses(merged.words, std::size_t{3} * classes);
    std::vector<ClassMasses> result(classes);
    for (std::size_t c = 0; c < classes; ++c) result[c] = {mass[3 * c], mass[3 * c + 1], mass[3 * c + 2]};
    return result;
}

}  // namespace regrove::metric
