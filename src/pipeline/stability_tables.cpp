// Every rank makes the same tables.
#include "regrove/pipeline/stability_tables.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace regrove::pipeline {

namespace {

using data::ColumnType;

void add_column(data::TableShard& table, std::string name, ColumnType type, data::ColumnValues values) {
    table.rows = table.global_rows = data::row_count(values);
    table.schema.columns.push_back({std::move(name), type, data::ColumnRole::feature, {}});
    table.values.push_back(std::move(values));
}

void add_classes(data::TableShard& table, std::string name, std::vector<std::int32_t> codes,
                 const std::vector<std::string>& classes) {
    add_column(table, std::move(name), ColumnType::category, std::move(codes));
    table.schema.columns.back().categories = classes;
}

/// One integer a refit.
template <class Number>
void add_of_refits(data::TableShard& table, std::string name, const dist::Stability& measured, Number&& number) {
    std::vector<std::int64_t> values;
    for (const dist::Refit& refit : measured.refits) values.push_back(static_cast<std::int64_t>(number(refit)));
    add_column(table, std::move(name), ColumnType::int64, std::move(values));
}

bool same_root(const dist::Stability& measured, const dist::Refit& refit) {
    return refit.root == measured.base_roots[refit.fold];
}

}  // namespace

StabilityFigures stability_figures(const dist::Stability& measured) {
    StabilityFigures figures;
    std::uint64_t flips = 0;
    std::uint64_t answers = 0;
    for (const dist::Refit& refit : measured.refits) {
        flips += refit.flips;
        answers += refit.held_out_rows;
        figures.flips_most = std::max(figures.flips_most, refit.flips);
        figures.refits_with_other_root += same_root(measured, refit) ? 0U : 1U;
    }
    for (const dist::RowFlips& rows : measured.flips) {
        figures.held_out_rows += rows.rows.size();
        figures.rows_ever_flipped += static_cast<std::uint64_t>(
            std::ranges::count_if(rows.flips, [](std::uint64_t times) { return times != 0; }));
    }
    figures.flips_mean = static_cast<double>(flips) / static_cast<double>(measured.refits.size());
    figures.flip_share = static_cast<double>(flips) / static_cast<double>(answers);
    return figures;
}

data::TableShard row_flip_table(const dist::StabilityRun& run, const dist::Stability& measured) {
    std::vector<std::uint64_t> refits(measured.flips.size(), 0);
    for (const dist::Refit& refit : measured.refits) refits[refit.fold] += 1;
    std::vector<std::int32_t> fold;
    std::vector<std::int64_t> row;
    std::vector<std::int32_t> truth;
    std::vector<std::int32_t> predicted;
    std::vector<std::int64_t> flips;
    std::vector<double> share;
    for (std::size_t part = 0; part < measured.flips.size(); ++part) {
        const dist::RowFlips& rows = measured.flips[part];
        fold.insert(fold.end(), rows.rows.size(), static_cast<std::int32_t>(part) + 1);
        row.insert(row.end(), rows.rows.begin(), rows.rows.end());
        truth.insert(truth.end(), rows.truth.begin(), rows.truth.end());
        predicted.insert(predicted.end(), rows.predicted.begin(), rows.predicted.end());
        for (const auto times : rows.flips) {
            flips.push_back(static_cast<std::int64_t>(times));
            share.push_back(static_cast<double>(times) / static_cast<double>(refits[part]));
        }
    }
    const data::Schema& schema = run.tables.back().schema();
    const auto& classes = schema.columns[*schema.find(data::ColumnRole::label)].categories;
    data::TableShard table;
    add_column(table, "fold", ColumnType::int32, std::move(fold));
    add_column(table, "row", ColumnType::int64, std::move(row));
    add_classes(table, "truth", std::move(truth), classes);
    add_classes(table, "class", std::move(predicted), classes);
    add_column(table, "flips", ColumnType::int64, std::move(flips));
    add_column(table, "flip_share", ColumnType::float64, std::move(share));
    return table;
}

data::TableShard refit_table(const dist::StabilityRun& run, const dist::Stability& measured) {
    data::TableShard table;
    add_of_refits(table, "fold", measured, [](const dist::Refit& refit) { return refit.fold + 1; });
    std::uint64_t number = 0;
    std::uint64_t fold = 0;
    add_of_refits(table, "refit", measured, [&](const dist::Refit& refit) {
        number = refit.fold == fold ? number + 1 : 1;
        fold = refit.fold;
        return number;
    });
    if (run.resample == dist::Resample::leave_one_out)
        add_of_refits(table, "left_out_row", measured, [](const dist::Refit& refit) { return refit.left_out; });
    add_of_refits(table, "held_out_rows", measured, [](const dist::Refit& refit) { return refit.held_out_rows; });
    add_of_refits(table, "flips", measured, [](const dist::Refit& refit) { return refit.flips; });
    std::vector<std::string> roots;
    for (const dist::Refit& refit : measured.refits) roots.push_back(refit.root);
    add_column(table, "root", ColumnType::text, std::move(roots));
    add_of_refits(table, "same_root", measured,
                  [&](const dist::Refit& refit) { return same_root(measured, refit) ? 1 : 0; });
    return table;
}

data::TableShard root_table(const dist::Stability& measured) {
    std::vector<std::string> question;
    std::vector<std::int64_t> trees;
    std::vector<double> share;
    std::vector<std::int32_t> of_all;
    for (const dist::RootCount& root : measured.roots) {
        question.push_back(root.question);
        trees.push_back(static_cast<std::int64_t>(root.trees));
        share.push_back(static_cast<double>(root.trees) / static_cast<double>(measured.trees));
        of_all.push_back(root.of_all_rows ? 1 : 0);
    }
    data::TableShard table;
    add_column(table, "question", ColumnType::text, std::move(question));
    add_column(table, "trees", ColumnType::int64, std::move(trees));
    add_column(table, "share", ColumnType::float64, std::move(share));
    add_column(table, "of_all_rows", ColumnType::int32, std::move(of_all));
    return table;
}

}  // namespace regrove::pipeline
