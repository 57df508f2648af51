#include "regrove/dist/keep_bins.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/bin_encoding.hpp"
#include "regrove/store/binned_file.hpp"

namespace regrove::dist {

namespace {

bool is_kept_role(data::ColumnRole role) {
    return role == data::ColumnRole::label || role == data::ColumnRole::weight || role == data::ColumnRole::group;
}

/// Columns of a table as numbers.
struct ColumnPlan {
    std::vector<std::size_t> features;
    std::vector<std::size_t> roles;
    data::Schema role_schema;
    std::vector<model::Feature> models;  ///< a feature

    explicit ColumnPlan(const data::Schema& schema) : features(schema.features()) {
        for (std::size_t c = 0; c < schema.columns.size(); ++c) {
            if (!is_kept_role(schema.columns[c].role)) continue;
            roles.push_back(c);
            role_schema.columns.push_back(schema.columns[c]);
        }
        for (const std::size_t f : features) models.push_back(make_feature(schema.columns[f]));
    }
};

void check_table(const ChunkSource& source) {
    const data::Schema& schema = source.schema();
    if (!schema.find(data::ColumnRole::label))
        throw InputError("the table has no label column; name it with --target");
    if (schema.features().empty()) throw InputError("the table has no feature columns");
    if (source.global_rows() == 0) throw InputError("the table has no rows");
    for (const std::size_t f : schema.features()) {
        if (schema.columns[f].type != data::ColumnType::text) continue;
        throw InputError("column '" + schema.columns[f].name +
                         "' holds text and cannot be a feature; ingest it with --categorical, or leave it out with "
                         "--ignore");
    }
}

class CodePass {
  public:
    CodePass(comm::Communicator& comm, const ColumnPlan& plan, const StreamedBoundaries& boundaries)
        : comm_(comm), plan_(plan), boundaries_(boundaries.numeric), lowest_(no_lowest(boundaries.numeric)) {}

    /// Counts and kinds; the smallest and largest values of numeric bins are known at the end.
    std::vector<binning::Bins> bin_counts() const {
        std::vector<binning::Bins> bins(plan_.features.size());
        for (std::size_t f = 0; f < bins.size(); ++f) {
            if (is_category(plan_.models[f])) bins[f] = category_bins(plan_.models[f]);
        }
        for (const BinBoundaries& b : boundaries_) bins[b.feature].count = static_cast<std::uint32_t>(b.keys.size());
        return bins;
    }

    void write(store::BinnedWriter& writer, data::TableShard chunk) {
        std::vector<binning::Codes> codes(plan_.features.size());
        data::TableShard roles;
        comm::agree_on(comm_, [&] {
            const std::vector<bool> left_out = rows_left_out(chunk);
            std::vector<data::ColumnValues> columns;
            for (const std::size_t c : plan_.features) columns.push_back(std::move(chunk.values[c]));
            const FeatureViews set(columns, left_out, chunk.rows, chunk.global_rows);
            encode_numbers(set, boundaries_, codes, lowest_);
            encode_categories(set, plan_.models, codes);
            roles.schema = plan_.role_schema;
            for (const std::size_t c : plan_.roles) roles.values.push_back(std::move(chunk.values[c]));
            roles.rows = chunk.rows;
            roles.first_row = chunk.first_row;
            roles.global_rows = chunk.global_rows;
        });
        writer.write(roles, codes);
    }

    std::vector<binning::Bins> finish(const data::Schema& schema) {
        merge_lowest(comm_, boundaries_, lowest_);
        std::vector<binning::Bins> bins = bin_counts();
        for (std::size_t i = 0; i < boundaries_.size(); ++i) {
            const std::size_t f = boundaries_[i].feature;
            const auto type = data::make_values(schema.columns[plan_.features[f]].type);
            bins[f] = make_bins(type, boundaries_[i], lowest_[i]);
        }
        return bins;
    }

  private:
    comm::Communicator& comm_;
    const ColumnPlan& plan_;
    const std::vector<BinBoundaries>& boundaries_;
    LowestKeys lowest_;
};

}  // namespace

KeptBins keep_bins(comm::Communicator& comm, ChunkSource& source, const std::string& path,
                   const StreamedBinning& options) {
    check_table(source);
    const ColumnPlan plan(source.schema());
    const StreamedBoundaries boundaries = find_streamed_boundaries(comm, source, options);
    CodePass pass(comm, plan, boundaries);
    store::BinnedWriter writer(comm, path, plan.role_schema, source.global_rows(), pass.bin_counts());
    Progress progress("bin", source.global_rows(), "rows");
    source.rewind();
    for (data::TableShard chunk; source.next(chunk);) {
        const std::uint64_t rows = comm.sum(chunk.rows);
        pass.write(writer, std::move(chunk));
        progress.advance(rows);
    }
    const auto bins = pass.finish(source.schema());
    writer.finish(plan.models, bins, {options.max_bin, boundaries.sampled_rows, boundaries.table_hash});
    KeptBins kept{source.global_rows(), plan.features.size(), 0, 0, boundaries.sampled_rows, boundaries.table_hash};
    for (const binning::Bins& own : bins) {
        kept.bins += own.count;
        kept.exact_features += own.category ? 1 : 0;
    }
    for (const BinBoundaries& b : boundaries.numeric) kept.exact_features += b.exact ? 1 : 0;
    return kept;
}

}  // namespace regrove::dist
