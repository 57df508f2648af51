// Job ingest: text or idx files to one columnar HDF5 table.
#include <algorithm>
#include <memory>

#include <unistd.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"
#include "regrove/dist/ingest_table.hpp"
#include "regrove/dist/one_against_rest.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/store/table_file.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

struct Options {
    std::vector<std::string> inputs;
    std::string output;
    std::string rejects;
    store::Compression compress = store::Compression::fast;
    dist::InputFormat format = dist::InputFormat::automatic;
    ingest::TextOptions text;
    ingest::LibsvmOptions libsvm;
    std::string one_against_rest;
};

/// Half of the rank's memory limit, or a quarter of the machine's memory shared among its ranks.
std::uint64_t keep_bytes(const pipeline::JobContext& context) {
    if (context.memory_limit_bytes > 0) return context.memory_limit_bytes / 2;
    const auto machine =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return machine / 4 / static_cast<std::uint64_t>(std::max(context.comm.local_size(), 1));
}

/// One run of the job.
class Ingestion {
  public:
    Ingestion(const Options& options, pipeline::JobContext& context)
        : options_(options), context_(context), comm_(context.comm) {
        rejects_ = options.rejects.empty() ? options.output + ".rejects" : options.rejects;
    }

    void run() {
        comm::agree_on(comm_, [&] { refuse_existing(); });
        const auto table = scan();
        const Hash128 hash = write(*table);
        const dist::IngestReport& report = table->report();
        comm::agree_on(comm_, [&] { write_rejects(report); });
        for (const std::string& input : options_.inputs) context_.summary.read(input);
        context_.summary.wrote(options_.output);
        describe(*table, hash);
    }

  private:
    void refuse_existing() const {
        if (!comm_.is_root()) return;
        pipeline::require_writable(options_.output, context_.overwrite);
        if (options_.text.bad_rows == ingest::BadRowPolicy::skip)
            pipeline::require_writable(rejects_, context_.overwrite);
    }

    std::unique_ptr<dist::ScannedTable> scan() {
        const auto phase = context_.summary.phase("scan");
        dist::IngestRequest request;
        request.inputs = options_.inputs;
        request.format = options_.format;
        request.options = options_.text;
        request.libsvm = options_.libsvm;
        request.keep_bytes = keep_bytes(context_);
        auto table = dist::scan_table(comm_, request);
        if (options_.one_against_rest.empty()) return table;
        return dist::one_against_rest(comm_, std::move(table), options_.one_against_rest);
    }

    Hash128 write(dist::ScannedTable& table) {
        const auto phase = context_.summary.phase("write");
        store::TableWriter writer(comm_, options_.output, table.schema(), table.global_rows(), options_.compress);
        table.hand_out([&](data::TableShard chunk) { writer.write(chunk); });
        return writer.finish();
    }

    void write_rejects(const dist::IngestReport& report) {
        if (report.bad_rows == 0 || !comm_.is_root()) return;
        pipeline::OutputFile file(rejects_, context_.overwrite, 0600);
        file.write(report.rejected_text);
        file.commit();
        context_.summary.wrote(rejects_);
    }

    void describe(const dist::ScannedTable& table, const Hash128& hash) {
        const dist::IngestReport& report = table.report();
        pipeline::Summary& summary = context_.summary;
        for (const std::string& warning : report.warnings) warn(warning);
        for (const std::string& row : report.rejected) log::info("skipped " + row);
        if (report.bad_rows > 0)
            warn(std::to_string(report.bad_rows) + " bad rows were skipped and copied to " + rejects_);
        summary.result["rows"] = table.global_rows();
        summary.result["columns"] = table.schema().columns.size();
        summary.result["bad_rows"] = report.bad_rows;
        summary.result["content_hash"] = to_hex(hash);
        summary.details["passes"] = report.passes;
        summary.details["format"] = report.format;
        summary.details["read_as"] = report.read_as;
        summary.show("rows", std::to_string(table.global_rows()));
        summary.show("columns", std::to_string(table.schema().columns.size()) + type_counts(table.schema()));
        const auto label = table.schema().find(data::ColumnRole::label);
        summary.show("label", label ? table.schema().columns[*label].name : "none");
        summary.show("read as", report.read_as);
        if (report.bad_rows > 0) summary.show("bad rows skipped", std::to_string(report.bad_rows));
        summary.show("content hash", to_hex(hash));
    }

    void warn(const std::string& message) {
        log::warning(message);
        context_.summary.warn(message);
    }

    /// " (4 float32, 2 category)"
    static std::string type_counts(const data::Schema& schema) {
        std::string text;
        for (int type = 0; type <= static_cast<int>(data::ColumnType::text); ++type) {
            const auto wanted = static_cast<data::ColumnType>(type);
            const auto count = std::ranges::count(schema.columns, wanted, &data::ColumnSchema::type);
            if (count == 0) continue;
            text += (text.empty() ? " (" : ", ") + std::to_string(count) + " " + std::string(to_text(wanted));
        }
        return text + ")";
    }

    const Options& options_;
    pipeline::JobContext& context_;
    comm::Communicator& comm_;
    std::string rejects_;
};

class IngestJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table
            .add("input", options_.inputs,
                 "files to read as one table; idx: the cells, and the labels if there are any")
            .value_name("FILE");
        table.add("output", options_.output, "table to write (HDF5)").value_name("FILE").no_result();
        table.add("format", options_.format,
                  Choices<dist::InputFormat>{{"auto", dist::InputFormat::automatic},
                                             {"delimited", dist::InputFormat::delimited},
                                             {"libsvm", dist::InputFormat::libsvm},
                                             {"idx", dist::InputFormat::idx}},
                  "of the input; auto: by its content");
        ingest::list_options(options_.text, table);
        ingest::list_options(options_.libsvm, table);
        table
            .add("one_against_rest", options_.one_against_rest,
                 "the label becomes this one of its values against 'rest'")
            .value_name("VALUE");
        table.add("rejects", options_.rejects, "where skipped rows are copied to; empty: OUTPUT.rejects")
            .value_name("FILE")
            .no_result();
        table.add("compress", options_.compress,
                  Choices<store::Compression>{{"none", store::Compression::none},
                                              {"fast", store::Compression::fast},
                                              {"small", store::Compression::small}},
                  "compression of the table");
    }

    void run(pipeline::JobContext& context) override {
        if (options_.inputs.empty()) throw UsageError("--input is missing: name the files to read");
        if (options_.output.empty()) throw UsageError("--output is missing: name the table to write");
        Ingestion(options_, context).run();
    }

  private:
    Options options_;
};

}  // namespace

pipeline::JobRow ingest_job() {
    return {.name = "ingest",
            .purpose = "read text or idx files of any size into a columnar table",
            .group = "data",
            .example = "regrove ingest --input adult.data --target 14 --output adult.h5",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<IngestJob>(); }};
}

}  // namespace regrove::jobs
