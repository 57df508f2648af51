// Scan -> merge by file over the ranks -> decide -> parse again, a bounded number of dense rows at a time.
#include "regrove/dist/ingest_libsvm.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/progress.hpp"
#include "regrove/dist/constant_columns.hpp"
#include "regrove/dist/ingest_parts.hpp"
#include "regrove/dist/ingest_rejects.hpp"
#include "regrove/dist/ingest_wire.hpp"
#include "regrove/ingest/byte_source.hpp"
#include "regrove/ingest/libsvm_sparse.hpp"
#include "regrove/ingest/text_check.hpp"

namespace regrove::dist {
namespace {

using ingest::LibsvmSummary;
using ingest::Piece;
using ingest::TextLayout;

/// Dense cells that a rank holds at a time.
constexpr std::uint64_t k_chunk_bytes = std::uint64_t{64} << 20U;

TextLayout agreed_layout(comm::Communicator& comm, const IngestRequest& request) {
    std::string packed = comm::agree_on(comm, [&] {
        if (!comm.is_root()) return std::string();
        TextLayout layout;
        layout.dialect.quote = '\0';  // so that every line end ends a row
        for (const std::string& path : request.inputs)
            layout.files.push_back({path, ingest::detect_encoding(path), ingest::file_size_bytes(path), 0, 1});
        return pack(layout);
    });
    comm.broadcast(packed);
    return unpack_layout(packed);
}

/// The index in the name of a LibSVM feature's column ("f126").
std::optional<std::uint64_t> index_of_name(const std::string& name) {
    std::uint64_t index = 0;
    const char* const end = name.data() + name.size();
    if (!name.starts_with('f') || (name.size() > 2 && name[1] == '0')) return std::nullopt;
    const auto result = std::from_chars(name.data() + 1, end, index);
    return result.ec == std::errc{} && result.ptr == end ? std::optional(index) : std::nullopt;
}

/// The options, with the columns of another table in mind: they exist here too, from the same first index on.
ingest::LibsvmOptions options_of(const IngestRequest& request) {
    ingest::LibsvmOptions options = request.libsvm;
    options.missing = request.options.missing;
    if (request.form != RowForm::dense) options.max_columns = ingest::k_most_sparse_columns;
    for (const data::ColumnSchema& column : request.options.expected.columns) {
        const auto index = index_of_name(column.name);
        if (!index || column.role != data::ColumnRole::feature) continue;
        options.last_index = std::max(options.last_index, *index);
        if (*index == 0 && options.index_base == ingest::IndexBase::automatic)
            options.index_base = ingest::IndexBase::zero;
    }
    return options;
}

/// One rank's parts, piece after piece. Does not communicate. Holds references.
class PieceReader {
  public:
    PieceReader(const TextLayout& layout, const std::vector<FilePart>& parts, ingest::BlockSizes sizes)
        : layout_(layout), parts_(parts), sizes_(sizes), progress_("reading rows", total_bytes(), "B") {}

    /// The pieces of the next block, all of part `part()`; empty at the end.
    std::vector<Piece> next() {
        for (;;) {
            if (blocks_ != nullptr) {
                auto pieces = blocks_->next();
                if (!pieces.empty()) return pieces;
                progress_.advance(stored_bytes(layout_, parts_[part()]));
                blocks_.reset();
            }
            if (next_part_ == parts_.size()) return {};
            const FilePart& part = parts_[next_part_++];
            blocks_ = std::make_unique<ingest::RecordBlocks>(open_part(layout_, part), layout_.files[part.file].path,
                                                             layout_.dialect, part.first_line, sizes_);
        }
    }
    std::size_t part() const { return next_part_ - 1; }

  private:
    std::uint64_t total_bytes() const {
        std::uint64_t total = 0;
        for (const FilePart& part : parts_) total += stored_bytes(layout_, part);
        return total;
    }

    const TextLayout& layout_;
    const std::vector<FilePart>& parts_;
    ingest::BlockSizes sizes_;
    std::size_t next_part_ = 0;
    std::unique_ptr<ingest::RecordBlocks> blocks_;
    Progress progress_;
};

/// One summary a part.
std::vector<LibsvmSummary> scan_parts(const TextLayout& layout, const std::vector<FilePart>& parts,
                                      ingest::BlockSizes sizes, const ingest::LibsvmOptions& options) {
    std::vector<LibsvmSummary> summaries(parts.size());
    PieceReader reader(layout, parts, sizes);
    for (std::vector<Piece> pieces; !(pieces = reader.next()).empty();) {
        std::vector<LibsvmSummary> found(pieces.size());
        parallel_for(pieces.size(), [&](std::size_t i) { found[i] = scan_libsvm(pieces[i].text, options); });
        LibsvmSummary& part = summaries[reader.part()];
        for (const LibsvmSummary& summary : found) part = merge(part, summary);
    }
    return summaries;
}

/// Length of the first `most` lines of `text`.
std::size_t bytes_of_lines(std::string_view text, std::uint64_t most) {
    std::size_t i = 0;
    for (std::uint64_t line = 0; line < most && i < text.size(); ++line) {
        i = std::min(text.find_first_of("\r\n", i), text.size());
        if (i == text.size()) break;
        i += text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
    }
    return i;
}

/// A rank's rows from its pieces, as many at a time as are asked for.
class RowReader {
  public:
    RowReader(const TextLayout& layout, const std::vector<FilePart>& parts, ingest::BlockSizes sizes,
              const ingest::LibsvmDecision& decision)
        : layout_(layout), parts_(parts), decision_(decision), reader_(layout, parts, sizes) {}

    /// Appends lines until `chunk` has `most_rows` rows or no line is left.
    void fill(data::TableShard& chunk, std::uint64_t most_rows, Rejects* rejects) {
        while (chunk.rows < most_rows && more()) {
            Piece& piece = pieces_[next_piece_];
            const std::string_view lines = piece.text.substr(0, bytes_of_lines(piece.text, most_rows - chunk.rows));
            std::vector<ingest::LibsvmBadRow> bad;
            parse_libsvm(lines, piece.first_line, decision_, chunk, rejects != nullptr ? &bad : nullptr);
            const std::string& file = layout_.files[parts_[reader_.part()].file].path;
            for (const ingest::LibsvmBadRow& row : bad)
                rejects->add({file, row.line, row.column}, row.message, row.text);
            piece.first_line += ingest::count_line_ends(lines);
            piece.text.remove_prefix(lines.size());
        }
    }

  private:
    bool more() {
        while (next_piece_ < pieces_.size() && pieces_[next_piece_].text.empty()) ++next_piece_;
        if (next_piece_ < pieces_.size()) return true;
        pieces_ = reader_.next();
        next_piece_ = 0;
        return !pieces_.empty();
    }

    const TextLayout& layout_;
    const std::vector<FilePart>& parts_;
    const ingest::LibsvmDecision& decision_;
    PieceReader reader_;
    std::vector<Piece> pieces_;
    std::size_t next_piece_ = 0;
};

class ScannedLibsvm : public ScannedTable {
  public:
    ScannedLibsvm(comm::Communicator& comm, const IngestRequest& request)
        : comm_(comm), request_(request), options_(options_of(request)), layout_(agreed_layout(comm, request)) {
        parts_ = deal_lines(comm, layout_);
        scan();
        decide();
    }

    bool is_sparse() const override { return is_sparse_; }

    data::SparseTable read_sparse() override {
        ++report_.passes;
        data::SparseTable table = comm::agree_on(comm_, [&] {
            require_fits_sparse();
            data::SparseTable rows = make_sparse_table(decision_);
            PieceReader reader(layout_, parts_, request_.sizes);
            std::vector<data::SparseTable> parsed;  // of pieces, used again: their columns are many
            for (std::vector<Piece> pieces; !(pieces = reader.next()).empty();) {
                while (parsed.size() < pieces.size()) parsed.push_back(make_sparse_table(decision_));
                parallel_for(pieces.size(),
                             [&](std::size_t i) { parse_libsvm_sparse(pieces[i].text, decision_, parsed[i]); });
                for (data::SparseTable& part : parsed) {
                    append(rows.rows, part.rows);
                    append(rows.cells, part.cells);
                    part.rows = data::make_shard(rows.rows.schema);
                    part.cells.clear_rows();
                }
            }
            if (rows.rows.rows != own_rows_) throw InputError("the input files changed while they were read");
            return rows;
        });
        table.rows.first_row = first_row_;
        table.rows.global_rows = all_.rows;
        return table;
    }

    const data::Schema& schema() const override { return decision_.schema; }
    std::uint64_t global_rows() const override { return all_.rows; }
    const IngestReport& report() const override { return report_; }

    void hand_out(const ChunkSink& sink) override {
        ++report_.passes;
        RowReader reader(layout_, parts_, request_.sizes, decision_);
        ConstantColumns constants(decision_.schema);
        Rejects rejects;
        const std::uint64_t most_rows = rows_of_chunk();
        std::uint64_t done = 0;
        for (;;) {
            data::TableShard chunk = comm::agree_on(comm_, [&] {
                data::TableShard rows = data::make_shard(decision_.schema);
                rows.first_row = first_row_ + done;
                rows.global_rows = all_.rows;
                reader.fill(rows, most_rows, &rejects);
                require_as_scanned(rows.rows, done, most_rows);
                constants.add(rows);
                return rows;
            });
            done += chunk.rows;
            if (comm_.max(chunk.rows) == 0) break;
            sink(std::move(chunk));
        }
        for (std::string& warning : constants.warnings(comm_)) report_.warnings.push_back(std::move(warning));
        rejects.report(comm_, report_);
    }

  private:
    /// Merges the parts' summaries by file, in file order.
    void scan() {
        ++report_.passes;
        const std::vector<LibsvmSummary> own =
            comm::agree_on(comm_, [&] { return scan_parts(layout_, parts_, request_.sizes, options_); });
        WireWriter packed;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            packed.number(parts_[i].file);
            packed.text(pack(own[i]));
            own_rows_ += own[i].rows;
        }
        first_row_ = comm_.exclusive_sum(own_rows_);
        std::vector<LibsvmSummary> files(layout_.files.size());
        const std::vector<std::string> texts = comm_.gather_all(packed.take());
        for (std::size_t rank = 0; rank < texts.size(); ++rank) {
            std::size_t part = 0;
            for (WireReader reader(texts[rank]); !reader.at_end(); ++part) {
                LibsvmSummary& file = files[reader.number()];
                if (rank == static_cast<std::size_t>(comm_.rank())) parts_[part].first_line = file.lines + 1;
                file = merge(file, ingest::unpack_libsvm_summary(reader.text()));
            }
        }
        const bool skip = request_.options.bad_rows == ingest::BadRowPolicy::skip;
        for (std::size_t i = 0; i < files.size(); ++i) {
            check_libsvm_file(layout_.files[i].path, files[i], skip);
            all_ = merge_files(all_, files[i]);
        }
    }

    void decide() {
        const bool sparse_allowed = request_.form != RowForm::dense;
        decision_ = decide_libsvm(all_, options_);
        is_sparse_ = sparse_allowed && (request_.form == RowForm::sparse ||
                                        ingest::prefers_sparse(all_, decision_, request_.libsvm.max_columns));
        if (request_.options.refuse_useless && all_.labels.low == all_.labels.high)
            throw InputError("the label (column 'label') has the same value in all " + std::to_string(all_.rows) +
                             " rows; there is nothing to learn");
        report_.bad_rows = all_.bad_rows;
        report_.warnings = decision_.warnings;
        report_.format = "libsvm";
        report_.read_as = "LibSVM, indices from " + std::to_string(decision_.first_index) + ", absent cells are " +
                          (decision_.absent == ingest::AbsentCell::zero ? "0" : "missing");
    }

    /// Reading, turning into columns and binning hold a cell at most this many times at once (docs/boosting-growth.md).
    void require_fits_sparse() const {
        constexpr std::uint64_t k_bytes_a_cell = 36;
        constexpr std::uint64_t k_bytes_a_row = 120;
        constexpr std::uint64_t k_bytes_a_column = 400;
        if (request_.memory_limit_bytes == 0) return;
        const std::uint64_t ranks = static_cast<std::uint64_t>(comm_.size());
        const std::uint64_t bytes = (all_.entries * k_bytes_a_cell + all_.rows * k_bytes_a_row) / ranks +
                                    decision_.features * k_bytes_a_column;
        if (bytes <= request_.memory_limit_bytes) return;
        throw LimitError("the LibSVM input gives " + std::to_string(all_.entries) + " cells in " +
                         std::to_string(all_.rows) + " rows of " + std::to_string(decision_.features) +
                         " features; kept sparse they take about " + format_bytes(bytes) + " on each of " +
                         std::to_string(ranks) + " ranks, over --memory-limit " +
                         format_bytes(request_.memory_limit_bytes) + ": raise it, or use more ranks or fewer rows");
    }

    std::uint64_t rows_of_chunk() const {
        const std::uint64_t bytes = std::min(k_chunk_bytes, request_.keep_bytes / 4);
        return std::max<std::uint64_t>(1, bytes / (decision_.schema.columns.size() * sizeof(double)));
    }

    /// The second pass must see the rows of the first, on which first rows and types rest.
    void require_as_scanned(std::uint64_t rows, std::uint64_t done, std::uint64_t most_rows) const {
        const bool at_end = rows < most_rows;
        if (done + rows > own_rows_ || (at_end && done + rows != own_rows_))
            throw InputError("the input files changed while they were read");
    }

    comm::Communicator& comm_;
    IngestRequest request_;
    ingest::LibsvmOptions options_;
    TextLayout layout_;
    std::vector<FilePart> parts_;
    LibsvmSummary all_;
    ingest::LibsvmDecision decision_;
    bool is_sparse_ = false;
    std::uint64_t own_rows_ = 0;
    RowIndex first_row_ = 0;
    IngestReport report_;
};

}  // namespace

std::unique_ptr<ScannedTable> scan_libsvm_files(comm::Communicator& comm, const IngestRequest& request) {
    return std::make_unique<ScannedLibsvm>(comm, request);
}

}  // namespace regrove::dist
