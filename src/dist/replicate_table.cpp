// Column by column, so that no more than one column is held twice.
#include "regrove/dist/replicate_table.hpp"

#include <string>
#include <type_traits>
#include <vector>

namespace regrove::dist {

namespace {

/// Texts travel as their lengths and their bytes.
std::vector<std::string> gather_texts(comm::Communicator& comm, const std::vector<std::string>& own) {
    std::vector<std::uint64_t> lengths;
    std::string bytes;
    for (const std::string& text : own) {
        lengths.push_back(text.size());
        bytes += text;
    }
    const auto all_lengths = comm.gather_all(std::span<const std::uint64_t>(lengths));
    const auto all_bytes = comm.gather_all(std::span<const char>(bytes.data(), bytes.size()));
    std::vector<std::string> texts;
    texts.reserve(all_lengths.size());
    std::size_t at = 0;
    for (const auto length : all_lengths) {
        texts.emplace_back(all_bytes.data() + at, length);
        at += length;
    }
    return texts;
}

}  // namespace

data::TableShard replicate_table(comm::Communicator& comm, data::TableShard shard) {
    if (comm.size() == 1) return shard;
    for (auto& column : shard.values) {
        std::visit(
            [&](auto& values) {
                using Values = std::decay_t<decltype(values)>;
                if constexpr (std::is_same_v<Values, std::vector<std::string>>) {
                    values = gather_texts(comm, values);
                } else {
                    values = comm.gather_all(std::span<const typename Values::value_type>(values));
                }
            },
            column);
    }
    shard.rows = shard.global_rows = comm.sum(shard.rows);
    shard.first_row = 0;
    return shard;
}

}  // namespace regrove::dist
