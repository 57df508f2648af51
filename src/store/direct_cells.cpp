// Cells without compression: each rank writes its own to their place in the file, in parallel.
#include <bit>
#include <type_traits>
#include <utility>
#include <variant>

#include <fcntl.h>

#include "cell_sink.hpp"
#include "file_bytes.hpp"

namespace regrove::store {

namespace {

static_assert(std::endian::native == std::endian::little, "cells are written as they lie in memory");

class DirectCells : public CellSink {
  public:
    DirectCells(const std::string& path, std::vector<std::uint64_t> offsets)
        : file_(path, O_WRONLY, "write"), offsets_(std::move(offsets)) {}

    void write(const data::TableShard& chunk) override {
        for (std::size_t c = 0; c < chunk.values.size(); ++c) {
            std::visit(
                [&](const auto& cells) {
                    using Cell = typename std::decay_t<decltype(cells)>::value_type;
                    if constexpr (std::is_arithmetic_v<Cell>) {
                        const std::uint64_t offset = offsets_[c] + chunk.first_row * sizeof(Cell);
                        file_.write_at(offset, cells.data(), cells.size() * sizeof(Cell));
                    }
                },
                chunk.values[c]);
        }
    }
    void flush() override {
        file_.sync();
        file_ = OpenFile();
    }
    void collect(comm::Communicator&, TableBuilder*) override {}

  private:
    OpenFile file_;
    std::vector<std::uint64_t> offsets_;
};

}  // namespace

std::unique_ptr<CellSink> make_direct_cells(const std::string& path, std::vector<std::uint64_t> offsets) {
    return std::make_unique<DirectCells>(path, std::move(offsets));
}

}  // namespace regrove::store
