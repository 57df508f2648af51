// Path-dependent attributions equal those that XGBoost 1.7.4 gives for a model of its own, as far as its single
// precision goes.
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "regrove/algebra/path_shap.hpp"
#include "regrove/formats/registry.hpp"

namespace regrove {
namespace {

nlohmann::ordered_json reference() {
    std::ifstream file(std::string(REGROVE_TEST_DATA) + "/shap/xgboost_contributions.json");
    return nlohmann::ordered_json::parse(file);
}

TEST(ShapValues, AreThoseOfXgboost) {
    const auto known = reference();
    const model::Ensemble ensemble = formats::parse_model(known["model"].dump(), "xgboost_contributions.json");
    const algebra::PathShap shap(ensemble, algebra::training_covers(ensemble));
    const std::size_t width = ensemble.features.size();
    std::size_t compared = 0;
    for (std::size_t row = 0; row < known["rows"].size(); ++row) {
        std::vector<double> cells;
        for (const auto& cell : known["rows"][row])
            cells.push_back(cell.is_null() ? std::numeric_limits<double>::quiet_NaN() : cell.get<double>());
        std::vector<double> phi(shap.features().size());
        shap.explain(cells, row, phi);
        std::vector<double> all(width, 0.0);
        for (std::size_t place = 0; place < phi.size(); ++place) all[index(shap.features()[place])] = phi[place];
        all.push_back(shap.base()[0]);
        for (std::size_t f = 0; f <= width; ++f, ++compared)
            EXPECT_NEAR(all[f], known["contributions"][row][f].get<double>(), 3e-6) << "row " << row << ", " << f;
    }
    EXPECT_EQ(compared, 30 * 13U);
}

}  // namespace
}  // namespace regrove
