// Job bin: replaces the features of a table by the numbers of their bins, once, for any number of boosted models.
#include <algorithm>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/keep_bins.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/store/table_file.hpp"
#include "regrove/train/boosting_options.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

struct Options {
    std::string data;
    std::string target;
    std::string output;
    std::uint32_t max_bin = train::BoostingOptions{}.max_bin;
    std::uint64_t quantile_rows = 0;
};

/// Rows that a rank holds at a time: 64 MiB of cells, and at most 2^18.
std::uint64_t chunk_rows(const data::Schema& schema) {
    constexpr std::uint64_t k_bytes = std::uint64_t{64} << 20U;
    constexpr std::uint64_t k_cell_bytes = 8;
    const std::uint64_t rows = k_bytes / (k_cell_bytes * std::max<std::size_t>(schema.columns.size(), 1));
    return std::clamp<std::uint64_t>(rows, 1024, std::uint64_t{1} << 18U);
}

class BinJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("data", options_.data, "the table to bin: HDF5 (read in chunks), CSV, TSV or LibSVM (read whole)")
            .value_name("FILE");
        table.add("target", options_.target, "label column, by name or zero-based index, where the table marks none")
            .value_name("COLUMN");
        table.add("output", options_.output, "the binned table to write (HDF5)")
            .alias("out")
            .value_name("FILE")
            .no_result();
        table.add("max_bin", options_.max_bin, 2, 65535, "bins of a numeric feature at most");
        table.add(
            "quantile_rows", options_.quantile_rows, 0, std::uint64_t{1} << 48U,
            "rows drawn to take the quantiles of a numeric feature from, about; 0: 4194304, fewer for more than 32 "
            "features. They are exact for a table of no more rows");
    }

    void run(pipeline::JobContext& context) override {
        for (const auto& [name, value] : {std::pair("data", options_.data), std::pair("output", options_.output)}) {
            if (value.empty()) throw UsageError(std::string("--") + name + " is missing");
        }
        comm::agree_on(context.comm, [&] {
            if (context.comm.is_root()) pipeline::require_writable(options_.output, context.overwrite);
        });
        const auto source = open(context);
        dist::StreamedBinning binning;
        binning.max_bin = options_.max_bin;
        binning.seed = context.seed;
        binning.sample_rows = options_.quantile_rows != 0
                                  ? options_.quantile_rows
                                  : dist::default_sample_rows(source->schema().features().size());
        dist::KeptBins kept;
        {
            const auto phase = context.summary.phase("bin");
            kept = dist::keep_bins(context.comm, *source, options_.output, binning);
        }
        context.summary.read(options_.data);
        context.summary.wrote(options_.output);
        report(context, kept);
    }

  private:
    std::unique_ptr<dist::ChunkSource> open(pipeline::JobContext& context) const {
        const auto phase = context.summary.phase("load");
        comm::Communicator& comm = context.comm;
        pipeline::TableRequest request;
        request.path = options_.data;
        request.target = options_.target;
        request.refuse_useless = true;
        const bool hdf5 = comm::agree_on(comm, [&] { return comm.is_root() && store::is_hdf5_file(request.path); });
        if (comm.sum(std::uint64_t{hdf5 ? 1U : 0U}) == 0) {
            data::TableShard shard = pipeline::load_table(comm, request);
            const std::uint64_t rows = chunk_rows(shard.schema);
            return dist::shard_chunks(comm, std::move(shard), rows);
        }
        data::Schema schema = store::read_table_info(comm, request.path).schema;
        pipeline::mark_label(schema, request);
        const std::uint64_t rows = chunk_rows(schema);
        return dist::stream_chunks(comm, request.path, rows, std::move(schema));
    }

    static void report(pipeline::JobContext& context, const dist::KeptBins& kept) {
        auto& result = context.summary.result;
        result["rows"] = kept.rows;
        result["features"] = kept.features;
        result["bins"] = kept.bins;
        result["features_with_a_bin_for_each_value"] = kept.exact_features;
        result["quantile_rows"] = kept.quantile_rows;
        result["table_content_hash"] = kept.table_hash;
        context.summary.show("rows", std::to_string(kept.rows));
        context.summary.show("features", std::to_string(kept.features));
        context.summary.show("bins of all features", std::to_string(kept.bins));
        context.summary.show("features with a bin for each value", std::to_string(kept.exact_features));
        context.summary.show("rows that quantiles are taken from", std::to_string(kept.quantile_rows));
        context.summary.show("content hash of the table", kept.table_hash);
    }

    Options options_;
};

}  // namespace

pipeline::JobRow bin_job() {
    return {.name = "bin",
            .purpose = "bin a table once and keep its bins in a file, for boosting",
            .group = "data",
            .example = "regrove bin --data train.h5 --output train.bins.h5",
            .make = [] { return std::make_unique<BinJob>(); }};
}

}  // namespace regrove::jobs
