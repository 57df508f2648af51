// Trains on a generated table with options of the command line and prints seconds, memory and quality; its own main.
//
// boosting_run ROWS TEST_ROWS [--option value]... [--threads N] [--dump FILE] [--kind KIND]
// --dump writes all rows as float32, label last, for other programs to train on; --raw FILE with --columns N takes such a
// file (N columns, label 0 or 1) in place of a generated table, on one rank. --keep FILE bins the generated table in chunks into
// a file and trains on it; --kept FILE trains on such a file. Both ask for no test rows.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>

#include "regrove/comm/mpi_session.hpp"
#include "regrove/core/memory.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/keep_bins.hpp"
#include "regrove/generate/generator.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/store/binned_file.hpp"

namespace regrove {
namespace {

data::TableShard own_rows(const comm::Communicator& comm, const generate::Generator& kind, std::uint64_t first,
                          std::uint64_t rows) {
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    const std::uint64_t begin = rows * rank / ranks;
    const std::uint64_t end = rows * (rank + 1) / ranks;
    data::TableShard shard = generate::generate_rows(kind, 1, first + begin, end - begin);
    shard.first_row = begin;
    shard.global_rows = rows;
    return shard;
}

/// Rows of a file of float32, label last.
data::TableShard raw_rows(const std::string& path, std::size_t columns, std::uint64_t first, std::uint64_t rows) {
    std::vector<float> cells(columns * rows);
    std::ifstream in(path, std::ios::binary);
    const std::size_t row_bytes = columns * sizeof(float);
    in.seekg(static_cast<std::streamoff>(first * row_bytes));
    in.read(reinterpret_cast<char*>(cells.data()), static_cast<std::streamsize>(rows * row_bytes));
    data::TableShard shard;
    shard.rows = shard.global_rows = rows;
    for (std::size_t c = 0; c < columns; ++c) {
        const bool label = c + 1 == columns;
        shard.schema.columns.push_back({"c" + std::to_string(c),
                                        label ? data::ColumnType::int32 : data::ColumnType::float32,
                                        label ? data::ColumnRole::label : data::ColumnRole::feature,
                                        {}});
        std::vector<float> column(rows);
        for (std::size_t i = 0; i < rows; ++i) column[i] = cells[i * columns + c];
        if (label) {
            shard.values.emplace_back(std::vector<std::int32_t>(column.begin(), column.end()));
        } else {
            shard.values.emplace_back(std::move(column));
        }
    }
    return shard;
}

/// The rows of a generated table, made anew each time through.
class GeneratedChunks final : public dist::ChunkSource {
  public:
    GeneratedChunks(comm::Communicator& comm, const generate::Generator& kind, std::uint64_t rows)
        : comm_(comm), kind_(kind), schema_(generate::generated_schema(kind, {})), rows_(rows) {
        rewind();
    }
    const data::Schema& schema() const override { return schema_; }
    std::uint64_t global_rows() const override { return rows_; }
    std::string known_hash() const override { return "generated"; }
    void rewind() override {
        at_ = store::share_begin(rows_, comm_.rank(), comm_.size());
        end_ = store::share_begin(rows_, comm_.rank() + 1, comm_.size());
    }
    bool next(data::TableShard& chunk) override {
        constexpr std::uint64_t k_rows = 131072;
        const std::uint64_t count = std::min(k_rows, end_ - at_);
        if (comm_.max(count) == 0) return false;
        chunk = generate::generate_rows(kind_, 1, at_, count);
        chunk.global_rows = rows_;
        at_ += count;
        return true;
    }

  private:
    comm::Communicator& comm_;
    const generate::Generator& kind_;
    data::Schema schema_;
    std::uint64_t rows_;
    std::uint64_t at_ = 0;
    std::uint64_t end_ = 0;
};

double of_all_ranks(comm::Communicator& comm, double own) {
    double sum = 0;
    for (const double rank : comm.gather_all(own)) sum += rank;
    return sum;
}

void run_kept(comm::Communicator& comm, const std::string& path, const train::BoostingOptions& options) {
    using Clock = std::chrono::steady_clock;
    const auto began = Clock::now();
    const std::clock_t worked = std::clock();
    store::BinnedFile kept(comm, path);
    dist::BoostingTables tables;
    tables.training = kept.read_roles();
    tables.kept = &kept;
    const double opening = std::chrono::duration<double>(Clock::now() - began).count();
    const double opening_work = of_all_ranks(comm, static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC);
    const auto grown = dist::grow_boosted(comm, std::move(tables), options, 1, dist::CurveWanted::none);
    const double loading_work = of_all_ranks(comm, grown.binning_processor_seconds);
    const double growing_work = of_all_ranks(comm, grown.growing_processor_seconds);
    const auto peak = static_cast<double>(comm.sum(peak_memory_bytes()));
    const std::uint64_t bytes = comm.sum(comm.traffic().bytes);
    const std::uint64_t messages = comm.sum(comm.traffic().messages);
    if (!comm.is_root()) return;
    std::printf("opening %.3f s (processor %.3f), loading %.3f s (processor %.3f)\n", opening, opening_work,
                grown.binning_seconds, loading_work);
    const auto rows = static_cast<double>(grown.rows);
    std::printf(
        "growing %.3f s (processor %.3f, %.1f ns a row and round), peak of all ranks %.0f MB, %.1f bytes a row\n",
        grown.growing_seconds, growing_work, growing_work * 1e9 / rows / static_cast<double>(grown.rounds),
        peak / 1e6, peak / rows);
    std::printf("sent %.1f MB in %llu messages\n", static_cast<double>(bytes) / 1e6,
                static_cast<unsigned long long>(messages));
}

void dump(const data::TableShard& shard, std::ofstream& out) {
    const auto label = *shard.schema.find(data::ColumnRole::label);
    std::vector<float> row;
    for (std::size_t i = 0; i < shard.rows; ++i) {
        row.clear();
        for (const auto c : shard.schema.features()) {
            row.push_back(static_cast<float>(data::as_double(shard.schema.columns[c].type, shard.values[c], i)));
        }
        row.push_back(static_cast<float>(data::as_double(shard.schema.columns[label].type, shard.values[label], i)));
        out.write(reinterpret_cast<const char*>(row.data()),
                  static_cast<std::streamsize>(row.size() * sizeof(float)));
    }
}

double auc(comm::Communicator& comm, const model::Ensemble& model, const data::TableShard& shard) {
    const infer::Predictor predictor(model, shard.schema);
    const auto answers = dist::answer_rows(model, predictor, shard);
    return dist::metric_number(comm, metric::find_metric("roc_auc", metric::Task::classification), answers.view());
}

int run(int argc, char** argv, comm::Communicator& comm) {
    train::BoostingOptions options;
    options.objective.objective = "logistic";
    OptionTable table;
    train::list_options(options, table);
    const std::uint64_t rows = std::stoull(argv[1]);
    const std::uint64_t test_rows = std::stoull(argv[2]);
    std::string dump_file;
    std::string kind = "higgs-like";
    std::string raw_file;
    std::string keep_file;
    std::string kept_file;
    std::size_t raw_columns = 0;
    for (int i = 3; i + 1 < argc; i += 2) {
        const std::string name = std::string(argv[i]).substr(2);
        if (name == "threads") {
            set_thread_count(static_cast<unsigned>(std::stoul(argv[i + 1])));
        } else if (name == "dump") {
            dump_file = argv[i + 1];
        } else if (name == "raw") {
            raw_file = argv[i + 1];
        } else if (name == "columns") {
            raw_columns = std::stoull(argv[i + 1]);
        } else if (name == "keep") {
            keep_file = kept_file = argv[i + 1];
        } else if (name == "kept") {
            kept_file = argv[i + 1];
        } else if (name == "kind") {
            kind = argv[i + 1];
        } else {
            table.find(name)->parse(argv[i + 1]);
        }
    }
    const auto& generator = generate::find_generator(kind);
    if (!keep_file.empty()) {
        const std::clock_t began = std::clock();
        GeneratedChunks source(comm, generator, rows);
        const auto kept =
            dist::keep_bins(comm, source, keep_file,
                            {options.max_bin, dist::default_sample_rows(source.schema().features().size()), 1});
        std::printf("kept %llu bins, processor %.3f s, peak %.0f MB\n", static_cast<unsigned long long>(kept.bins),
                    static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC,
                    static_cast<double>(peak_memory_bytes()) / 1e6);
    }
    if (!kept_file.empty()) {
        run_kept(comm, kept_file, options);
        return 0;
    }
    const auto take = [&](std::uint64_t first, std::uint64_t count) {
        return raw_file.empty() ? own_rows(comm, generator, first, count)
                                : raw_rows(raw_file, raw_columns, first, count);
    };
    if (!dump_file.empty()) {
        std::ofstream out(dump_file, std::ios::binary);
        dump(own_rows(comm, generator, 0, rows), out);
        dump(own_rows(comm, generator, rows, test_rows), out);
    }
    const auto grown = dist::grow_boosted(comm, {take(0, rows), std::nullopt, nullptr}, options, 1);
    const double peak = static_cast<double>(peak_memory_bytes()) / 1e6;
    const auto bytes = static_cast<double>(comm.sum(comm.traffic().bytes)) / 1e6;
    const double binning_work = of_all_ranks(comm, grown.binning_processor_seconds);
    const double growing_work = of_all_ranks(comm, grown.growing_processor_seconds);
    const double train_auc = auc(comm, grown.ensemble, take(0, rows));
    const double test_auc = test_rows == 0 ? 0 : auc(comm, grown.ensemble, take(rows, test_rows));
    if (!comm.is_root()) return 0;
    std::printf("binning %.3f s, growing %.3f s, peak %.0f MB, sent %.1f MB, AUC train %.5f test %.5f\n",
                grown.binning_seconds, grown.growing_seconds, peak, bytes, train_auc, test_auc);
    std::printf("processor: binning %.3f s, growing %.3f s\n", binning_work, growing_work);
    return 0;
}

}  // namespace
}  // namespace regrove

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr, "boosting_run ROWS TEST_ROWS [--option value]...\n");
        return 64;
    }
    regrove::comm::MpiSession session;
    regrove::keep_freed_memory();
    return regrove::run(argc, argv, session.world());
}
