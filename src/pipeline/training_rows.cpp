#include "regrove/pipeline/training_rows.hpp"

#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/dist/table_hash.hpp"

namespace regrove::pipeline {

namespace {

data::ColumnSchema column_of(const model::Feature& feature) {
    data::ColumnSchema column{feature.name, data::ColumnType::float64, data::ColumnRole::feature, feature.categories};
    if (feature.kind == model::FeatureKind::category)
        column.type = data::ColumnType::category;
    else if (feature.precision == model::NumericPrecision::float32)
        column.type = data::ColumnType::float32;
    return column;
}

}  // namespace

data::Schema TrainingRows::schema() const {
    data::Schema all = shard.schema;
    if (cells) all.columns.insert(all.columns.end(), cells->columns.begin(), cells->columns.end());
    if (!kept) return all;
    for (const model::Feature& feature : kept->info().features) all.columns.push_back(column_of(feature));
    return all;
}

TrainingRows load_training_rows(comm::Communicator& comm, const TableRequest& request, dist::RowForm form,
                                std::uint64_t memory_limit_bytes) {
    TrainingRows rows;
    const bool binned = comm::agree_on(comm, [&] { return comm.is_root() && store::is_binned_file(request.path); });
    if (comm.sum(std::uint64_t{binned ? 1U : 0U}) == 0) {
        LoadedTable table = load_table(comm, request, form, memory_limit_bytes);
        rows.shard = std::move(table.rows);
        rows.cells = std::move(table.cells);
        rows.table_hash = rows.cells ? dist::table_hash(comm, rows.shard, *rows.cells)
                                     : dist::NamedHash{"data_content_hash", dist::table_hash(comm, rows.shard)};
        return rows;
    }
    rows.kept = std::make_unique<store::BinnedFile>(comm, request.path);
    rows.shard = rows.kept->read_roles();
    rows.table_hash = {"data_content_hash", rows.kept->info().notes.table_hash};
    mark_label(rows.shard.schema, request);
    return rows;
}

}  // namespace regrove::pipeline
