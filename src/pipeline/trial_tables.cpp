// Reads, marks roles, makes classes one list, and only then copies or spreads.
#include "regrove/pipeline/trial_tables.hpp"

#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/class_labels.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/load_table.hpp"

namespace regrove::pipeline {

namespace {

std::size_t column_named(const data::Schema& schema, const std::string& asked, const std::string& what) {
    if (const auto column = schema.find(asked)) return *column;
    const auto place = parse_int64(asked);
    if (place.status == NumberStatus::ok && place.value >= 0 &&
        static_cast<std::size_t>(place.value) < schema.columns.size())
        return static_cast<std::size_t>(place.value);
    throw ConfigError(what + ": no column '" + asked + "'");
}

/// Takes the role from any other column that has it: the command line knows better than the file.
void mark_role(data::Schema& schema, data::ColumnRole role, const std::string& asked) {
    if (asked.empty()) return;
    const std::string what = "--" + std::string(data::to_text(role));
    const std::size_t column = column_named(schema, asked, what);
    if (schema.columns[column].role == data::ColumnRole::label)
        throw ConfigError(what + ": column '" + schema.columns[column].name + "' is the label");
    if (const auto other = schema.find(role)) schema.columns[*other].role = data::ColumnRole::feature;
    schema.columns[column].role = role;
}

data::TableShard load(JobContext& context, const TrialSource& source, std::size_t file,
                      const data::Schema& expected) {
    TableRequest request;
    request.path = source.files[file];
    request.target = source.target;
    request.refuse_useless = file % 2 == 0;
    request.expected = expected;
    data::TableShard shard = load_table(context.comm, request);
    context.summary.read(request.path);
    agree_plainly(context.comm, [&] {
        mark_role(shard.schema, data::ColumnRole::group, source.group);
        mark_role(shard.schema, data::ColumnRole::fold, source.fold);
        if (source.files.size() > 1 && !shard.schema.find(data::ColumnRole::label))
            shard.schema.columns.back().role = data::ColumnRole::label;
    });
    return shard;
}

}  // namespace

void list_options(TrialSource& source, OptionTable& table) {
    table
        .add(
            "target", source.target,
            "label column by name or zero-based index; default: the table's label, in pairs of files the last column")
        .value_name("COLUMN");
    table
        .add("group", source.group,
             "column that names the group of each row, by name or zero-based index (--split grouped)")
        .value_name("COLUMN");
    table
        .add("fold", source.fold,
             "column that names the fold of each row, by name or zero-based index (--split given)")
        .value_name("COLUMN");
    table
        .add("deal", source.deal,
             Choices<dist::TrialSpread>{{"auto", dist::TrialSpread::automatic},
                                        {"trials", dist::TrialSpread::trials},
                                        {"rows", dist::TrialSpread::rows}},
             "what is dealt to the ranks: trials (each rank has all rows), rows (all ranks run each trial), or by "
             "size")
        .no_result();
}

TrialTables load_trial_tables(JobContext& context, const TrialSource& source, train::Criterion criterion) {
    const auto phase = context.summary.phase("load");
    std::vector<data::TableShard> shards;
    std::vector<data::TableShard> roles;
    std::uint64_t bytes = 0;
    for (std::size_t file = 0; file < source.files.size(); ++file) {
        shards.push_back(load(context, source, file, file % 2 == 1 ? shards.back().schema : data::Schema{}));
        roles.push_back(dist::replicate_roles(context.comm, shards.back()));
        bytes += dist::cell_bytes(shards.back());
    }
    agree_plainly(context.comm, [&] { dist::unify_class_labels(shards, roles, criterion); });
    TrialTables loaded;
    loaded.spread = dist::resolve(source.deal, context.comm.sum(bytes), context.memory_limit_bytes);
    for (auto& shard : shards) loaded.tables.emplace_back(context.comm, std::move(shard), loaded.spread);
    return loaded;
}

}  // namespace regrove::pipeline
