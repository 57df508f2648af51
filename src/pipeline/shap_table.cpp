// Column by column.
#include "regrove/pipeline/shap_table.hpp"

#include <string>
#include <utility>
#include <vector>

namespace regrove::pipeline {

data::TableShard shap_table(const algebra::ShapValues& shap, dist::RowShap result, const model::Ensemble& model,
                            const data::TableShard& rows) {
    data::TableShard table;
    table.rows = rows.rows;
    table.first_row = rows.first_row;
    table.global_rows = rows.global_rows;
    const auto add = [&](data::ColumnSchema schema, data::ColumnValues values) {
        table.schema.columns.push_back(std::move(schema));
        table.values.push_back(std::move(values));
    };
    const auto add_numbers = [&](const std::string& name, std::vector<double> values) {
        add({name, data::ColumnType::float64, data::ColumnRole::feature, {}}, std::move(values));
    };
    for (std::size_t c = 0; c < rows.values.size(); ++c)
        if (rows.schema.columns[c].role == data::ColumnRole::id) add(rows.schema.columns[c], rows.values[c]);
    const std::vector<FeatureId>& features = shap.features();
    for (std::size_t k = 0; k < shap.scores().count(); ++k) {
        const std::string score = shap.scores().names[k].empty() ? "" : ":" + shap.scores().names[k];
        add_numbers("base" + score, std::vector<double>(rows.rows, shap.base()[k]));
        for (std::size_t p = 0; p < features.size(); ++p)
            add_numbers(model.features[index(features[p])].name + score,
                        std::move(result.phi[k * features.size() + p]));
    }
    data::validate(table.schema);
    return table;
}

}  // namespace regrove::pipeline
