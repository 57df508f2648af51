// Integer sums of what each rank counted, some rows of the matrix a message.
#include "regrove/dist/monomial_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"

namespace regrove::dist {

namespace {

using algebra::MonomialPairs;
using algebra::MonomialPlaces;
using algebra::Polynomial;

/// Pairs summed in one message: 8 MiB.
constexpr std::size_t k_pairs_a_message = std::size_t{1} << 20U;

/// Rows [begin, end) of the upper half, behind each other.
void sum_rows(comm::Communicator& comm, MonomialPairs& pairs, std::size_t begin, std::size_t end) {
    std::vector<std::uint64_t> counts;
    for (std::size_t i = begin; i < end; ++i) {
        const auto upper = pairs.with(i).subspan(i);
        counts.insert(counts.end(), upper.begin(), upper.end());
    }
    comm.sum(std::span<std::uint64_t>(counts));
    std::size_t at = 0;
    for (std::size_t i = begin; i < end; ++i)
        for (std::size_t j = i; j < pairs.size(); ++j) {
            const auto count = static_cast<std::uint32_t>(counts[at++]);
            pairs.with(i)[j] = count;
            pairs.with(j)[i] = count;
        }
}

/// Multiples of 2^grid fit 62 bits when as many as `rows` of up to `largest` are added.
int grid_of(double largest, std::uint64_t rows) {
    const int bits = largest > 0 ? std::ilogb(largest) + 1 : 0;
    const int row_bits = std::ilogb(static_cast<double>(std::max<std::uint64_t>(rows, 1))) + 1;
    return bits + row_bits - 62;
}

}  // namespace

MonomialPairs monomial_pairs(comm::Communicator& comm, const Polynomial& polynomial, MonomialPlaces monomials,
                             const data::TableShard& shard) {
    const std::uint64_t rows = comm.sum(shard.rows);
    MonomialPairs pairs = comm::agree_on(comm, [&] {
        if (rows > std::numeric_limits<std::uint32_t>::max())
            throw LimitError(
                "pairs of monomials are counted over at most 4294967295 rows; give a sample of the rows");
        const model::Ensemble asking = algebra::asking_ensemble(polynomial);
        const infer::Binding binding(asking, shard.schema);
        return algebra::count_pairs(polynomial, monomials, binding, shard);
    });
    if (comm.size() == 1) return pairs;
    for (std::size_t begin = 0; begin < pairs.size();) {
        std::size_t end = begin;
        for (std::size_t held = 0; end < pairs.size() && (end == begin || held < k_pairs_a_message); ++end)
            held += pairs.size() - end;
        sum_rows(comm, pairs, begin, end);
        begin = end;
    }
    return pairs;
}

std::vector<double> sums_over_rows(comm::Communicator& comm, const Polynomial& polynomial, MonomialPlaces monomials,
                                   std::span<const double> values, const data::TableShard& shard) {
    std::vector<double> largest{0};
    for (const double value : values) largest[0] = std::max(largest[0], std::abs(value));
    comm.max(std::span<double>(largest));
    const int grid = grid_of(largest[0], comm.sum(shard.rows));
    auto sums = comm::agree_on(comm, [&] {
        std::vector<std::int64_t> numbers;
        numbers.reserve(values.size());
        for (const double value : values)
            numbers.push_back(static_cast<std::int64_t>(algebra::to_fixed(value, grid)));
        const model::Ensemble asking = algebra::asking_ensemble(polynomial);
        const infer::Binding binding(asking, shard.schema);
        return algebra::sums_over_rows(polynomial, monomials, numbers, binding, shard);
    });
    comm.sum(std::span<std::int64_t>(sums));
    std::vector<double> rounded;
    for (const std::int64_t sum : sums) rounded.push_back(std::ldexp(static_cast<double>(sum), grid));
    return rounded;
}

}  // namespace regrove::dist
