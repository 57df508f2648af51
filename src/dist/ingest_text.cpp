// Local -> summary -> merge -> decide -> apply: the passes of ingest over the ranks.
#include "regrove/dist/ingest_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/ingest_parts.hpp"
#include "regrove/dist/ingest_pass.hpp"
#include "regrove/dist/ingest_reader.hpp"
#include "regrove/dist/ingest_rejects.hpp"
#include "regrove/dist/ingest_wire.hpp"
#include "regrove/ingest/column_plan.hpp"
#include "regrove/ingest/type_decision.hpp"

namespace regrove::dist {
namespace {

using data::ColumnType;
using ingest::CellMode;
using ingest::ChunkKind;
using ingest::ColumnRule;

/// A column of the table: which input column it is, its type, and how to find its codes.
struct OutputColumn {
    std::size_t input = 0;
    ColumnType type = ColumnType::float64;
    std::optional<ingest::LevelIndex> levels;
};

ingest::TextLayout agreed_layout(comm::Communicator& comm, const IngestRequest& request) {
    std::string packed = comm::agree_on(comm, [&] {
        return comm.is_root() ? pack(ingest::read_layout(request.inputs, request.options)) : std::string();
    });
    comm.broadcast(packed);
    return unpack_layout(packed);
}

class ScannedText : public ScannedTable {
  public:
    ScannedText(comm::Communicator& comm, const IngestRequest& request)
        : comm_(comm),
          request_(request),
          layout_(agreed_layout(comm, request)),
          parts_(deal_parts(comm, layout_)),
          parser_(layout_.dialect,
                  comm::agree_on(comm, [&] { return ingest::plan_columns(layout_, request.options); }),
                  request.options.missing) {
        scan();
        while (read_again_as_categories()) scan();
        decide();
        report_rejected();
        describe_dialect();
    }

    const data::Schema& schema() const override { return schema_; }
    std::uint64_t global_rows() const override { return global_rows_; }
    const IngestReport& report() const override { return report_; }
    void hand_out(const ChunkSink& sink) override {
        if (all_kept_)
            hand_out_kept(sink);
        else
            hand_out_again(sink);
    }

  private:
    const std::vector<ColumnRule>& rules() const { return parser_.rules(); }

    void scan() {
        ++report_.passes;
        pass_ = comm::agree_on(comm_, [&] {
            auto pass =
                std::make_unique<IngestPass>(layout_, rules().size(), request_.options.bad_rows, request_.keep_bytes);
            PartReader reader(layout_, parts_, parser_, request_.sizes);
            for (std::vector<ingest::ParsedPiece> pieces; reader.next(pieces);)
                for (ingest::ParsedPiece& piece : pieces) pass->take(std::move(piece));
            return pass;
        });
        merge_summaries();
    }

    void merge_summaries() {
        global_rows_ = comm_.sum(pass_->rows);
        first_row_ = comm_.exclusive_sum(pass_->rows);
        report_.bad_rows = comm_.sum(pass_->bad_rows);
        all_kept_ = comm_.sum(std::uint64_t{pass_->kept ? 0U : 1U}) == 0;
        summaries_ = pass_->summaries;
        comm_.merge_all(std::span(summaries_),
                        [](ingest::CellSummary& into, const ingest::CellSummary& from) { merge(into, from); });
        comm_.sum(std::span(pass_->read_as_numbers));
        comm_.sum(std::span(pass_->too_many_levels));
    }

    ColumnType type_of(std::size_t column) const {
        return decide_type(rules()[column], summaries_[column],
                           [this](const ingest::CellPlace& place) { return position_of(layout_, place); });
    }

    /// Categories of which some cells were read as numbers lack them in the dictionary: those columns change their
    /// mode.
    bool read_again_as_categories() {
        bool again = false;
        for (std::size_t column = 0; column < rules().size(); ++column) {
            if (rules()[column].mode == CellMode::skip || type_of(column) != ColumnType::category) continue;
            if (pass_->read_as_numbers[column] == 0) continue;
            parser_.read_as_category(column);
            again = true;
        }
        return again;
    }

    void decide() {
        if (global_rows_ == 0)
            throw InputError({layout_.files.front().path, 0, 0},
                             report_.bad_rows == 0 ? "the table is empty: there is no row behind the header"
                                                   : "the table is empty: all rows are bad");
        for (std::size_t column = 0; column < rules().size(); ++column) {
            if (rules()[column].mode == CellMode::skip) continue;
            const ColumnType type = type_of(column);
            outputs_.push_back({column, type, {}});
            schema_.columns.push_back({rules()[column].name, type, rules()[column].role, {}});
        }
        validate(schema_);
        share_levels();
        for (std::size_t i = 0; i < outputs_.size(); ++i) judge(i);
    }

    /// Unions the ranks' dictionaries; a dictionary that was given is taken as it is.
    void share_levels() {
        WireWriter own;
        for (const OutputColumn& output : outputs_) {
            if (output.type != ColumnType::category || !rules()[output.input].levels.empty()) continue;
            refuse_too_many_levels(output.input, pass_->too_many_levels[output.input] != 0);
            const auto& names = pass_->dictionaries[output.input].names();
            own.number(names.size());
            for (const std::string& name : names) own.text(name);
        }
        const std::vector<std::string> all = comm_.gather_all(own.take());
        std::vector<WireReader> readers(all.begin(), all.end());
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            if (outputs_[i].type != ColumnType::category) continue;
            auto& levels = schema_.columns[i].categories;
            levels = rules()[outputs_[i].input].levels;
            if (levels.empty()) levels = read_union(readers);
            refuse_too_many_levels(outputs_[i].input, levels.size() > ingest::k_most_levels);
        }
        for (std::size_t i = 0; i < outputs_.size(); ++i)
            if (outputs_[i].type == ColumnType::category) outputs_[i].levels.emplace(schema_.columns[i].categories);
    }

    static std::vector<std::string> read_union(std::vector<WireReader>& readers) {
        std::vector<std::vector<std::string>> lists;
        for (WireReader& reader : readers) {
            auto& list = lists.emplace_back(reader.number());
            for (std::string& name : list) name = reader.text();
        }
        return ingest::merged_levels(lists);
    }

    void refuse_too_many_levels(std::size_t column, bool too_many) const {
        if (!too_many) return;
        const std::string& name = rules()[column].name;
        throw InputError("column '" + name + "' has more than " + std::to_string(ingest::k_most_levels) +
                         " different texts; use --id '" + name + "' if it names the rows, or --ignore '" + name +
                         "'");
    }

    void judge(std::size_t i) {
        const OutputColumn& output = outputs_[i];
        const ingest::ColumnFacts facts{global_rows_, schema_.columns[i].categories.size()};
        const ColumnRule& rule = rules()[output.input];
        if (request_.options.refuse_useless) refuse_useless(rule, output.type, summaries_[output.input], facts);
        if (auto warning = warn_of(rule, output.type, summaries_[output.input], facts))
            report_.warnings.push_back(std::move(*warning));
    }

    void report_rejected() {
        Rejects rejects;
        comm::agree_on(comm_, [&] {
            for (const ingest::BadRow& row : pass_->rejected)
                rejects.add(position_of(layout_, row.place), row.reason, row.text);
        });
        pass_->rejected = {};
        rejects.report(comm_, report_);
    }

    void describe_dialect() {
        const char delimiter = layout_.dialect.delimiter;
        const std::string name = delimiter == ','    ? "comma"
                                 : delimiter == '\t' ? "tab"
                                 : delimiter == ' '  ? "space"
                                                     : std::string(1, delimiter);
        report_.format = "delimited";
        report_.read_as = name + "-delimited, " + (layout_.has_header ? "with" : "without") + " header";
    }

    data::CategoryCode code(const OutputColumn& output, const std::string& name) const {
        const auto& synonyms = rules()[output.input].synonyms;
        const auto synonym = synonyms.find(name);
        return output.levels->code(synonym == synonyms.end() ? name : synonym->second);
    }

    std::vector<data::CategoryCode> codes(const OutputColumn& output, const std::vector<std::string>& names) const {
        std::vector<data::CategoryCode> codes;
        if (!output.levels) return codes;
        codes.reserve(names.size());
        for (const std::string& name : names) codes.push_back(code(output, name));
        return codes;
    }

    data::TableShard shard_at(RowIndex first_row) const {
        data::TableShard shard = data::make_shard(schema_);
        shard.first_row = first_row;
        shard.global_rows = global_rows_;
        return shard;
    }

    /// Column by column, so that cells are there twice for one column a thread only.
    void hand_out_kept(const ChunkSink& sink) {
        data::TableShard shard = shard_at(first_row_);
        comm::agree_on(comm_, [&] {
            parallel_for(outputs_.size(), [&](std::size_t i) { join_pieces(outputs_[i], shard.values[i]); });
            shard.rows = pass_->rows;
        });
        pass_.reset();
        sink(std::move(shard));
    }

    void join_pieces(const OutputColumn& output, data::ColumnValues& values) {
        const auto code_of = codes(output, pass_->dictionaries[output.input].names());
        std::visit([&](auto& cells) { cells.reserve(pass_->rows); }, values);
        for (ingest::ParsedPiece& piece : pass_->pieces) {
            append_cells(values, output.type, piece.columns[output.input], code_of);
            piece.columns[output.input] = {};
        }
    }

    /// Reads the files once more, now that types and dictionaries are known.
    void hand_out_again(const ChunkSink& sink) {
        ++report_.passes;
        pass_.reset();
        RowIndex next_row = first_row_;
        PartReader reader(layout_, parts_, parser_, request_.sizes);
        for (;;) {
            std::vector<ingest::ParsedPiece> pieces;
            const bool more = comm::agree_on(comm_, [&] { return reader.next(pieces); });
            if (comm_.max(std::uint64_t{more ? 1U : 0U}) == 0) return;
            data::TableShard chunk = comm::agree_on(comm_, [&] { return converted(pieces, next_row); });
            next_row += chunk.rows;
            sink(std::move(chunk));
        }
    }

    data::TableShard converted(const std::vector<ingest::ParsedPiece>& pieces, RowIndex first_row) const {
        data::TableShard shard = shard_at(first_row);
        for (const ingest::ParsedPiece& piece : pieces) {
            for (std::size_t i = 0; i < outputs_.size(); ++i) {
                const ingest::ColumnChunk& chunk = piece.columns[outputs_[i].input];
                append_cells(shard.values[i], outputs_[i].type, chunk, codes(outputs_[i], chunk.names));
            }
            shard.rows += piece.rows;
        }
        return shard;
    }

    comm::Communicator& comm_;
    IngestRequest request_;
    ingest::TextLayout layout_;
    std::vector<FilePart> parts_;
    ingest::PieceParser parser_;
    std::unique_ptr<IngestPass> pass_;
    std::vector<ingest::CellSummary> summaries_;
    std::vector<OutputColumn> outputs_;
    data::Schema schema_;
    std::uint64_t global_rows_ = 0;
    RowIndex first_row_ = 0;
    bool all_kept_ = true;
    IngestReport report_;
};

}  // namespace

std::unique_ptr<ScannedTable> scan_text(comm::Communicator& comm, const IngestRequest& request) {
    return std::make_unique<ScannedText>(comm, request);
}

}  // namespace regrove::dist
