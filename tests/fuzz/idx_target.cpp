// idx: what the header promises is what is read, in one range or in two.
#include "regrove/ingest/idx.hpp"

#include "fuzz/fuzz_target.hpp"
#include "fuzz/scratch_file.hpp"

namespace regrove::fuzz {
namespace {

data::TableShard read_rows(const ingest::IdxInput& input, std::uint64_t begin, std::uint64_t end) {
    auto out = data::make_shard(input.schema);
    ingest::IdxRows rows(input, begin, end);
    while (rows.next(100, out) > 0) {
    }
    require(out.rows == end - begin, "a range has its rows");
    return out;
}

void run(std::string_view bytes) {
    const auto input = ingest::inspect_idx({as_file(bytes)}, 1000);
    const auto whole = read_rows(input, 0, input.rows);
    auto joined = read_rows(input, 0, input.rows / 2);
    data::append(joined, read_rows(input, input.rows / 2, input.rows));
    for (std::size_t c = 0; c < whole.values.size(); ++c) {
        for (std::size_t r = 0; r < whole.rows; ++r) {
            const auto& column = whole.schema.columns[c];
            require(data::cell_text(column, joined.values[c], r) == data::cell_text(column, whole.values[c], r),
                    "ranges join to the whole");
        }
    }
}

}  // namespace

Target idx_target() {
    return {
        "idx",
        run,
        {std::string("\0\0\x08\x01", 4), std::string("\0\0\x0d\x02", 4), std::string(4, '\0'), "\xff\xff\xff\xff"},
        800};
}

}  // namespace regrove::fuzz
