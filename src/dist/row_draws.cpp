#include "regrove/dist/row_draws.hpp"

#include <algorithm>

namespace regrove::dist {

RowShares share_rows(comm::Communicator& comm, std::uint64_t own_rows) {
    RowShares shares{{0}};
    for (const auto rows : comm.gather_all(own_rows)) shares.begins.push_back(shares.begins.back() + rows);
    return shares;
}

std::vector<std::uint32_t> own_multiplicities(comm::Communicator& comm, const train::RowSampling& sampling,
                                              std::uint64_t tree, const RowShares& shares) {
    const std::uint64_t first = shares.first(comm.rank());
    const std::uint64_t count = shares.count(comm.rank());
    if (!sampling.bootstrap || comm.size() == 1) return sampling.multiplicities(tree, first, count);
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    const std::uint64_t begin = sampling.draws * rank / ranks;
    const std::uint64_t end = sampling.draws * (rank + 1) / ranks;
    std::vector<std::uint64_t> drawn;
    std::vector<std::uint32_t> owner;
    comm::Pieces<std::uint64_t> send;
    send.counts.assign(ranks, 0);
    for (std::uint64_t draw = begin; draw < end; ++draw) {
        const std::uint64_t row = sampling.drawn_row(tree, draw);
        // The last rank whose first row is not above: ranks without rows are passed over.
        const auto above = std::upper_bound(shares.begins.begin(), shares.begins.end() - 1, row);
        const auto to = static_cast<std::uint32_t>(above - shares.begins.begin() - 1);
        drawn.push_back(row);
        owner.push_back(to);
        send.counts[to] += 1;
    }
    std::vector<std::uint64_t> next(ranks, 0);
    for (std::size_t r = 1; r < ranks; ++r) next[r] = next[r - 1] + send.counts[r - 1];
    send.values.resize(drawn.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) send.values[next[owner[i]]++] = drawn[i];
    std::vector<std::uint32_t> times(count, 0);
    for (const auto row : comm.exchange(send).values) times[row - first] += 1;
    return times;
}

}  // namespace regrove::dist
