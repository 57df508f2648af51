// Job generate: a synthetic table of any size, the same on any number of ranks.
#include <algorithm>
#include <array>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/generate/delimited_text.hpp"
#include "regrove/generate/generator.hpp"
#include "regrove/pipeline/output_file.hpp"
#include "regrove/store/table_file.hpp"

#include "job_table.hpp"

namespace regrove::jobs {

namespace {

/// Rows that a rank holds at a time; with 28 float32 features 7 MiB, as text about 20 MiB.
constexpr std::uint64_t k_chunk_rows = 65536;
/// The root holds one piece of text of every rank at a time.
constexpr std::uint64_t k_text_rows = 16384;

struct Options {
    std::string kind = "higgs-like";
    std::uint64_t rows = 1000;
    std::uint32_t features = 0;
    std::string output;
    store::Compression compress = store::Compression::fast;
};

std::uint64_t ceil_divide(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

/// One run of the job: makes chunks of rows and hands them to a file of the form that the output's name asks for.
class Generation {
  public:
    Generation(const Options& options, pipeline::JobContext& context)
        : options_(options),
          context_(context),
          kind_(generate::find_generator(options.kind)),
          kind_options_{options.features},
          schema_(generate::generated_schema(kind_, kind_options_)),
          progress_("generate", options.rows, "rows") {}

    Hash128 write() {
        const std::string_view name = options_.output;
        if (name.ends_with(".h5") || name.ends_with(".hdf5")) return write_hdf5();
        if (name == "-" || name.ends_with(".csv")) return write_text(',');
        if (name.ends_with(".tsv")) return write_text('\t');
        throw ConfigError(
            "--output: '" + options_.output +
            "' says no form of table; allowed: a name that ends in .h5, .hdf5, .csv or .tsv, or - for CSV "
            "on standard output");
    }

    std::size_t columns() const { return schema_.columns.size(); }

  private:
    /// Each rank writes its consecutive share, chunk by chunk; all ranks make equally many calls.
    Hash128 write_hdf5() {
        comm::Communicator& comm = context_.comm;
        comm::agree_on(comm, [&] {
            if (comm.is_root()) pipeline::require_writable(options_.output, context_.overwrite);
        });
        store::TableWriter writer(comm, options_.output, schema_, options_.rows, options_.compress);
        const RowIndex end = store::share_begin(options_.rows, comm.rank() + 1, comm.size());
        RowIndex at = store::share_begin(options_.rows, comm.rank(), comm.size());
        const std::uint64_t rounds = ceil_divide(comm.max(end - at), k_chunk_rows);
        for (std::uint64_t round = 0; round < rounds; ++round) {
            const auto chunk = comm::agree_on(comm, [&] { return rows_from(at, std::min(k_chunk_rows, end - at)); });
            writer.write(chunk);
            at += chunk.rows;
            progress_.advance(std::min(options_.rows, comm.size() * k_chunk_rows));
        }
        return writer.finish();
    }

    /// Blocks of rows go round the ranks; the root writes each round's texts in rank order.
    Hash128 write_text(char delimiter) {
        comm::Communicator& comm = context_.comm;
        std::unique_ptr<pipeline::OutputFile> file;
        comm::agree_on(comm, [&] {
            if (!comm.is_root()) return;
            file = std::make_unique<pipeline::OutputFile>(options_.output, context_.overwrite);
            file->write(generate::delimited_header(schema_, delimiter));
        });
        Hash128 hash;
        const std::uint64_t round_rows = k_text_rows * static_cast<std::uint64_t>(comm.size());
        for (RowIndex start = 0; start < options_.rows; start += round_rows) {
            const RowIndex begin = std::min(options_.rows, start + k_text_rows * static_cast<unsigned>(comm.rank()));
            const auto text = comm::agree_on(comm, [&] {
                const auto chunk = rows_from(begin, std::min(k_text_rows, options_.rows - begin));
                hash = data::merge(hash, data::content_hash(chunk));
                return generate::delimited_rows(chunk, delimiter);
            });
            const auto texts = comm.gather(text);
            comm::agree_on(comm, [&] {
                for (const auto& part : texts)
                    if (file) file->write(part);
            });
            progress_.advance(std::min(round_rows, options_.rows - start));
        }
        comm::agree_on(comm, [&] {
            if (file) file->commit();
        });
        return sum_over_ranks(hash);
    }

    data::TableShard rows_from(RowIndex first, std::uint64_t rows) const {
        auto chunk = generate::generate_rows(kind_, context_.seed, first, rows, kind_options_);
        chunk.global_rows = options_.rows;
        return chunk;
    }

    Hash128 sum_over_ranks(const Hash128& hash) {
        std::array<std::uint64_t, 2> lanes{hash.low, hash.high};
        context_.comm.sum(std::span<std::uint64_t>(lanes));
        return {lanes[0], lanes[1]};
    }

    const Options& options_;
    pipeline::JobContext& context_;
    const generate::Generator& kind_;
    generate::GenerateOptions kind_options_;
    data::Schema schema_;
    Progress progress_;
};

Choices<std::string> kind_choices() {
    Choices<std::string> choices;
    for (const auto& kind : generate::generators()) choices.emplace_back(kind.name, kind.name);
    return choices;
}

std::string kind_help() {
    std::string text = "kind of table:";
    for (const auto& kind : generate::generators())
        text += (&kind == generate::generators().data() ? " " : "; ") + kind.name + " (" + kind.purpose + ')';
    return text;
}

class GenerateJob : public pipeline::Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("kind", options_.kind, kind_choices(), kind_help());
        table.add("rows", options_.rows, 1, std::uint64_t{1} << 48U, "number of rows");
        table.add("features", options_.features, 0, 100000,
                  "number of features where the kind allows it; 0: its own");
        table.add("output", options_.output, "table to write: .h5, .csv or .tsv, or - for CSV on standard output")
            .alias("out")
            .value_name("FILE")
            .no_result();
        table.add("compress", options_.compress,
                  Choices<store::Compression>{{"none", store::Compression::none},
                                              {"fast", store::Compression::fast},
                                              {"small", store::Compression::small}},
                  "compression of an HDF5 table");
    }

    void run(pipeline::JobContext& context) override {
        if (options_.output.empty())
            throw UsageError("--output is missing: name the table to write, or - for standard output");
        Generation generation(options_, context);
        pipeline::Summary& summary = context.summary;
        Hash128 hash;
        {
            const auto phase = summary.phase("generate");
            hash = generation.write();
        }
        summary.wrote(options_.output);
        summary.result["rows"] = options_.rows;
        summary.result["columns"] = generation.columns();
        summary.result["content_hash"] = to_hex(hash);
        summary.show("rows", std::to_string(options_.rows));
        summary.show("columns", std::to_string(generation.columns()));
        summary.show("content hash", to_hex(hash));
    }

  private:
    Options options_;
};

}  // namespace

pipeline::JobRow generate_job() {
    return {.name = "generate",
            .purpose = "make a synthetic table of any size, the same on any number of ranks",
            .group = "data",
            .example = "regrove generate --kind higgs-like --rows 1000000 --output higgs.h5",
            .mpi = pipeline::MpiUse::when_launched,
            .make = [] { return std::make_unique<GenerateJob>(); }};
}

}  // namespace regrove::jobs
