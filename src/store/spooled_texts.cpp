// Text cells: every rank spools its own, the root stores all of them in row order, column after column.
#include <algorithm>
#include <deque>

#include "regrove/comm/agreement.hpp"

#include "byte_stream.hpp"
#include "cell_sink.hpp"
#include "hdf5_texts.hpp"
#include "parcels.hpp"
#include "table_layout.hpp"

namespace regrove::store {

namespace {

using Texts = std::vector<std::string>;

std::string to_bytes(const Texts& cells, std::size_t begin, std::size_t end) {
    ByteWriter out;
    out.put(static_cast<std::uint64_t>(end - begin));
    for (std::size_t i = begin; i < end; ++i) out.put_text(cells[i]);
    return out.take();
}

class SpooledTexts : public CellSink {
  public:
    SpooledTexts(const data::Schema& schema, std::uint64_t table_rows, const std::string& spool_name)
        : schema_(schema), table_rows_(table_rows), parcel_rows_(layout::chunk_rows(schema)) {
        for (std::size_t c = 0; c < schema.columns.size(); ++c) {
            if (schema.columns[c].type != data::ColumnType::text) continue;
            columns_.push_back(c);
            longest_bytes_.push_back(0);
            spools_.emplace_back(spool_name + "-" + std::to_string(c));
        }
    }

    void write(const data::TableShard& chunk) override {
        for (std::size_t t = 0; t < columns_.size(); ++t) {
            const auto& cells = std::get<Texts>(chunk.values[columns_[t]]);
            for (const auto& cell : cells)
                longest_bytes_[t] = std::max<std::uint64_t>(longest_bytes_[t], cell.size());
            for (std::size_t begin = 0; begin < cells.size(); begin += parcel_rows_) {
                spools_[t].append(to_bytes(cells, begin, std::min<std::size_t>(cells.size(), begin + parcel_rows_)));
            }
        }
    }
    void flush() override {}
    void collect(comm::Communicator& comm, TableBuilder* builder) override {
        for (std::size_t t = 0; t < columns_.size(); ++t) collect_column(comm, builder, t);
    }

  private:
    /// Stores whole chunks, so that the file does not depend on how the rows arrived.
    void collect_column(comm::Communicator& comm, TableBuilder* builder, std::size_t t) {
        const std::size_t c = columns_[t];
        const std::uint64_t longest_bytes = comm.max(longest_bytes_[t]);
        comm::agree_on(comm, [&] {
            if (builder != nullptr) builder->start_texts(c, schema_.columns[c], table_rows_, longest_bytes);
        });
        const std::uint64_t batch_rows = text_batch_rows(longest_bytes);
        Texts batch;
        std::uint64_t first_row = 0;
        const auto store_batch = [&] {
            builder->put_texts(c, first_row, batch);
            first_row += batch.size();
            batch.clear();
        };
        collect_parcels(comm, spools_[t], [&](const std::string& parcel) {
            ByteReader in(parcel);
            for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
                batch.emplace_back(in.get_text());
                if (batch.size() == batch_rows) store_batch();
            }
        });
        comm::agree_on(comm, [&] {
            if (builder != nullptr && !batch.empty()) store_batch();
        });
    }

    data::Schema schema_;
    std::uint64_t table_rows_;
    std::uint64_t parcel_rows_;
    std::vector<std::size_t> columns_;
    std::vector<std::uint64_t> longest_bytes_;  ///< one a text column, of this rank
    std::deque<SpoolFile> spools_;              ///< one a text column
};

}  // namespace

std::unique_ptr<CellSink> make_spooled_texts(const data::Schema& schema, std::uint64_t table_rows,
                                             const std::string& spool_name) {
    return std::make_unique<SpooledTexts>(schema, table_rows, spool_name);
}

}  // namespace regrove::store
