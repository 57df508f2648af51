// Ranks take even row ranges; the labels are looked at first, since they are small.
#include "regrove/dist/ingest_idx.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/constant_columns.hpp"
#include "regrove/ingest/idx.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::dist {
namespace {

/// Cells that a rank holds at a time, in bytes.
constexpr std::uint64_t k_chunk_bytes = std::uint64_t{64} << 20U;
constexpr std::size_t k_label_rows = std::size_t{1} << 16U;

/// The labels as an input of their own, of one column.
ingest::IdxInput labels_alone(const ingest::IdxInput& input) {
    ingest::IdxInput labels;
    labels.cells_path = input.labels_path;
    labels.cells = input.labels;
    labels.rows = input.rows;
    labels.schema.columns = {input.schema.columns.front()};
    return labels;
}

struct LabelRange {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
};

class ScannedIdx : public ScannedTable {
  public:
    ScannedIdx(comm::Communicator& comm, const IngestRequest& request) : comm_(comm), request_(request) {
        input_ =
            comm::agree_on(comm_, [&] { return ingest::inspect_idx(request_.inputs, request_.libsvm.max_columns); });
        begin_ = store::share_begin(input_.rows, comm_.rank(), comm_.size());
        end_ = store::share_begin(input_.rows, comm_.rank() + 1, comm_.size());
        if (!input_.labels_path.empty()) judge_labels();
        report_.format = "idx";
        report_.read_as = std::string("idx, ") + (input_.labels_path.empty() ? "without" : "with") + " labels";
    }

    const data::Schema& schema() const override { return input_.schema; }
    std::uint64_t global_rows() const override { return input_.rows; }
    const IngestReport& report() const override { return report_; }

    void hand_out(const ChunkSink& sink) override {
        ++report_.passes;
        std::optional<ingest::IdxRows> rows;
        comm::agree_on(comm_, [&] { rows.emplace(input_, begin_, end_); });
        ConstantColumns constants(input_.schema);
        for (RowIndex next_row = begin_;;) {
            data::TableShard chunk = comm::agree_on(comm_, [&] {
                data::TableShard cells = data::make_shard(input_.schema);
                cells.first_row = next_row;
                cells.global_rows = input_.rows;
                rows->next(rows_of_chunk(), cells);
                constants.add(cells);
                return cells;
            });
            next_row += chunk.rows;
            if (comm_.max(chunk.rows) == 0) break;
            sink(std::move(chunk));
        }
        for (std::string& warning : constants.warnings(comm_)) report_.warnings.push_back(std::move(warning));
    }

  private:
    void judge_labels() {
        LabelRange range = comm::agree_on(comm_, [&] { return range_of_own_labels(); });
        comm_.min(std::span(&range.low, 1));
        comm_.max(std::span(&range.high, 1));
        if (request_.options.refuse_useless && range.low == range.high)
            throw InputError("the label (column 'label') has the same value in all " + std::to_string(input_.rows) +
                             " rows; there is nothing to learn");
    }

    LabelRange range_of_own_labels() const {
        const ingest::IdxInput labels = labels_alone(input_);
        ingest::IdxRows rows(labels, begin_, end_);
        LabelRange range;
        data::TableShard chunk = data::make_shard(labels.schema);
        for (RowIndex row = begin_; rows.next(k_label_rows, chunk) > 0; chunk = data::make_shard(labels.schema)) {
            for (std::size_t i = 0; i < chunk.rows; ++i, ++row) {
                const double label = data::as_double(labels.schema.columns[0].type, chunk.values[0], i);
                if (std::isnan(label))
                    throw InputError("'" + input_.labels_path + "': the label of row " + std::to_string(row) +
                                     " is missing");
                range.low = std::min(range.low, label);
                range.high = std::max(range.high, label);
            }
        }
        return range;
    }

    std::size_t rows_of_chunk() const {
        const std::uint64_t bytes = std::min(k_chunk_bytes, request_.keep_bytes / 4);
        return std::max<std::uint64_t>(1, bytes / (input_.schema.columns.size() * sizeof(double)));
    }

    comm::Communicator& comm_;
    IngestRequest request_;
    ingest::IdxInput input_;
    RowIndex begin_ = 0;
    RowIndex end_ = 0;
    IngestReport report_;
};

}  // namespace

std::unique_ptr<ScannedTable> scan_idx(comm::Communicator& comm, const IngestRequest& request) {
    return std::make_unique<ScannedIdx>(comm, request);
}

}  // namespace regrove::dist
