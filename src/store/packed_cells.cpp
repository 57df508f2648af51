// Cells with compression: ranks compress in parallel, the root stores all chunks in row order.
#include "block_packer.hpp"
#include "cell_sink.hpp"
#include "parcels.hpp"

namespace regrove::store {

namespace {

class PackedCells : public CellSink {
  public:
    PackedCells(const data::Schema& schema, std::uint64_t table_rows, int level, const std::string& spool_name,
                TableBuilder* builder)
        : spool_(spool_name),
          builder_(builder),
          packer_(schema, table_rows, level, [this](const RowBlock& block) { keep(block); }) {}

    void write(const data::TableShard& chunk) override { packer_.append(chunk); }
    void flush() override {
        // The root's last rows wait for the next rank's first ones: together they may fill a block.
        if (builder_ == nullptr) packer_.flush();
    }
    void collect(comm::Communicator& comm, TableBuilder*) override {
        collect_parcels(comm, spool_,
                        [&](const std::string& parcel) { packer_.append(row_block_from_bytes(parcel)); });
    }

  private:
    void keep(const RowBlock& block) {
        if (builder_ == nullptr) {
            spool_.append(to_bytes(block));
            return;
        }
        for (std::size_t c = 0; c < block.columns.size(); ++c) {
            if (!block.columns[c].empty()) builder_->put_chunk(c, block.first_row, block.columns[c]);
        }
    }

    SpoolFile spool_;
    TableBuilder* builder_;
    BlockPacker packer_;
};

}  // namespace

std::unique_ptr<CellSink> make_packed_cells(const data::Schema& schema, std::uint64_t table_rows, int deflate_level,
                                            const std::string& spool_name, TableBuilder* builder) {
    return std::make_unique<PackedCells>(schema, table_rows, deflate_level, spool_name, builder);
}

}  // namespace regrove::store
