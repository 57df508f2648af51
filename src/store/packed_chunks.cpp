#include "packed_chunks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/store/chunk_codec.hpp"

#include "table_layout.hpp"

namespace regrove::store {

namespace {

H5Z_filter_t filter_at(hid_t properties, unsigned number) {
    unsigned flags = 0;
    unsigned settings = 0;
    std::size_t values = 0;
    return H5Pget_filter2(properties, number, &flags, &values, nullptr, 0, nullptr, &settings);
}

/// The chunk that begins at `row` as it lies in the file; empty when some filter was left out for it.
std::string read_raw_chunk(hid_t dataset, std::uint64_t row) {
    const hsize_t offset = row;
    hsize_t bytes = 0;
    checked(H5Dget_chunk_storage_size(dataset, &offset, &bytes), "reading the size of a chunk");
    std::string packed(bytes, '\0');
    std::uint32_t left_out = 0;
    if (bytes > 0) checked(H5Dread_chunk(dataset, H5P_DEFAULT, &offset, &left_out, packed.data()), "reading a chunk");
    if (left_out != 0) packed.clear();
    return packed;
}

/// A run of rows, and the cells of those that are wanted.
struct Rows {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Unpacks the chunk that begins at `chunk_begin` and copies what `wanted` asks for into `cells`, which begins at
/// wanted.begin.
bool unpack_into(const std::string& packed, std::uint64_t chunk_begin, std::uint64_t chunk_rows,
                 std::size_t cell_bytes, const Rows& wanted, std::span<char> cells) {
    const std::uint64_t begin = std::max(chunk_begin, wanted.begin);
    const std::uint64_t end = std::min(chunk_begin + chunk_rows, wanted.end);
    char* const to = cells.data() + (begin - wanted.begin) * cell_bytes;
    if (end - begin == chunk_rows) return unpack_chunk(packed, {to, chunk_rows * cell_bytes}, cell_bytes);
    std::string chunk(chunk_rows * cell_bytes, '\0');
    if (!unpack_chunk(packed, chunk, cell_bytes)) return false;
    std::memcpy(to, chunk.data() + (begin - chunk_begin) * cell_bytes, (end - begin) * cell_bytes);
    return true;
}

}  // namespace

std::uint64_t packed_chunk_rows(hid_t dataset, data::ColumnType type) {
    const Hdf5Handle stored(H5Dget_type(dataset), H5Tclose, "reading the type");
    if (checked(H5Tequal(stored.get(), layout::file_type(type)), "comparing types") == 0) return 0;
    const Hdf5Handle properties(H5Dget_create_plist(dataset), H5Pclose, "reading the layout");
    if (H5Pget_layout(properties.get()) != H5D_CHUNKED || H5Pget_nfilters(properties.get()) != 3) return 0;
    const bool ours = filter_at(properties.get(), 0) == H5Z_FILTER_SHUFFLE &&
                      filter_at(properties.get(), 1) == H5Z_FILTER_DEFLATE &&
                      filter_at(properties.get(), 2) == H5Z_FILTER_FLETCHER32;
    hsize_t rows = 0;
    checked(H5Pget_chunk(properties.get(), 1, &rows), "reading the layout");
    return ours ? rows : 0;
}

void read_packed_chunks(hid_t dataset, std::uint64_t chunk_rows, std::size_t cell_bytes, std::uint64_t begin,
                        std::span<char> cells) {
    const Rows wanted{begin, begin + cells.size() / cell_bytes};
    std::uint64_t next = begin / chunk_rows * chunk_rows;
    while (next < wanted.end) {
        std::vector<std::string> batch;
        const std::uint64_t first = next;
        for (; next < wanted.end && batch.size() < thread_count(); next += chunk_rows) {
            batch.push_back(read_raw_chunk(dataset, next));
        }
        std::atomic<bool> is_sound = true;
        parallel_for(batch.size(), [&](std::size_t i) {
            const std::uint64_t chunk_begin = first + i * chunk_rows;
            if (!unpack_into(batch[i], chunk_begin, chunk_rows, cell_bytes, wanted, cells)) is_sound = false;
        });
        if (!is_sound) throw Hdf5Failure("a chunk's checksum or compressed bytes are wrong", 0);
    }
}

}  // namespace regrove::store
