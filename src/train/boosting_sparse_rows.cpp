// Gathered as bytes, moved in one pass.
#include "regrove/train/boosting_sparse_rows.hpp"

#include <cstring>

#include "regrove/core/parallel.hpp"

namespace regrove::train {

namespace {

constexpr std::size_t k_rows_a_block = 65536;

/// A row without its place: that follows from a hessian of at least one unit.
struct PackedGradient {
    std::int16_t gradient = 0;
    std::uint16_t hessian = 0;
};
struct WideGradient {
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;
};

PackedGradient gradient_of(const TreeRows&, RowEntry entry, const PackedRow&) {
    return {static_cast<std::int16_t>(entry >> 16U), static_cast<std::uint16_t>(entry)};
}
WideGradient gradient_of(const TreeRows& rows, RowEntry entry, const WideRow&) {
    return {rows.gradient[row_of(entry)], rows.hessian[row_of(entry)]};
}

template <class Row>
void append_rows(const std::string& bytes, std::vector<Row>& rows) {
    using Gradient = decltype(gradient_of(TreeRows{}, RowEntry{}, Row{}));
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Gradient)) {
        Gradient gradient;
        std::memcpy(&gradient, bytes.data() + at, sizeof gradient);
        rows.push_back(
            {gradient.gradient, gradient.hessian, gradient.hessian == 0 ? k_out_of_tree : place_of_node(0)});
    }
}

}  // namespace

template <class Row>
std::vector<Row> gather_rows(const TreeRows& own, std::uint64_t own_count, BoostingExchange& exchange) {
    using Gradient = decltype(gradient_of(own, RowEntry{}, Row{}));
    std::string bytes(own_count * sizeof(Gradient), '\0');
    for (const RowEntry entry : own.entries) {
        const Gradient gradient = gradient_of(own, entry, Row{});
        std::memcpy(bytes.data() + row_of(entry) * sizeof gradient, &gradient, sizeof gradient);
    }
    std::vector<Row> rows;
    const std::vector<std::string> all = exchange.gather(bytes);
    std::size_t total = 0;
    for (const std::string& part : all) total += part.size() / sizeof(Gradient);
    rows.reserve(total);
    for (const std::string& part : all) append_rows(part, rows);
    return rows;
}

template <class Row>
void move_rows(std::span<const OpenedRows> opened, std::uint32_t nodes, std::vector<Row>& rows) {
    std::vector<std::uint32_t> child_place(std::size_t{nodes} + 1, 0);
    for (const OpenedRows& node : opened) {
        const std::uint32_t place = place_of_node(node.node);
        child_place[place] = place_of_node(node.child_of_others);
        for (const auto row : node.listed) {
            if (rows[row].place == place) rows[row].place = place_of_node(node.child_of_listed);
        }
    }
    parallel_for_blocks(rows.size(), k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const std::uint32_t child = child_place[rows[row].place];
            if (child != 0) rows[row].place = child;
        }
    });
}

template std::vector<PackedRow> gather_rows(const TreeRows&, std::uint64_t, BoostingExchange&);
template std::vector<WideRow> gather_rows(const TreeRows&, std::uint64_t, BoostingExchange&);
template void move_rows(std::span<const OpenedRows>, std::uint32_t, std::vector<PackedRow>&);
template void move_rows(std::span<const OpenedRows>, std::uint32_t, std::vector<WideRow>&);

}  // namespace regrove::train
