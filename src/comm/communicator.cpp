#include "regrove/comm/communicator.hpp"

#include <bit>
#include <cstring>

#include "regrove/core/check.hpp"

namespace regrove::comm {

namespace {

std::uint64_t rounds(int size) { return std::bit_width(static_cast<unsigned>(size - 1)); }

}  // namespace

void Communicator::barrier() {
    if (size_ > 1) do_barrier();
}

void Communicator::reduce(void* values, std::size_t count, std::size_t element_bytes, Reduction reduction) {
    if (size_ == 1 || count == 0) return;
    // Counted as reduce-scatter followed by all-gather: twice the array, less the own share.
    traffic_.messages += 2 * rounds(size_);
    traffic_.bytes += 2 * count * element_bytes * (size_ - 1) / size_;
    do_reduce(values, count, reduction);
}

void Communicator::sum(std::span<std::int64_t> values) {
    reduce(values.data(), values.size(), sizeof(std::int64_t), Reduction::sum_int64);
}
void Communicator::sum(std::span<std::uint64_t> values) {
    reduce(values.data(), values.size(), sizeof(std::uint64_t), Reduction::sum_uint64);
}
void Communicator::sum(std::span<Int128> values) {
    reduce(values.data(), values.size(), sizeof(Int128), Reduction::sum_int128);
}
std::uint64_t Communicator::sum(std::uint64_t value) {
    sum(std::span(&value, 1));
    return value;
}
void Communicator::max(std::span<double> values) {
    reduce(values.data(), values.size(), sizeof(double), Reduction::max_double);
}
void Communicator::min(std::span<double> values) {
    reduce(values.data(), values.size(), sizeof(double), Reduction::min_double);
}
void Communicator::max(std::span<std::uint64_t> values) {
    reduce(values.data(), values.size(), sizeof(std::uint64_t), Reduction::max_uint64);
}
std::uint64_t Communicator::max(std::uint64_t value) {
    max(std::span(&value, 1));
    return value;
}

void Communicator::exclusive_sum(std::span<std::int64_t> values) {
    if (size_ == 1) {
        std::memset(values.data(), 0, values.size_bytes());
        return;
    }
    if (rank_ + 1 < size_) {
        traffic_.messages += 1;
        traffic_.bytes += values.size_bytes();
    }
    do_exclusive_sum(values.data(), values.size());
}

std::uint64_t Communicator::exclusive_sum(std::uint64_t value) {
    auto signed_value = static_cast<std::int64_t>(value);
    exclusive_sum(std::span(&signed_value, 1));
    return static_cast<std::uint64_t>(signed_value);
}

void Communicator::broadcast_bytes(void* bytes, std::size_t size, int root) {
    if (size_ == 1 || size == 0) return;
    traffic_.messages += 1;
    traffic_.bytes += size;
    do_broadcast(bytes, size, root);
}

void Communicator::broadcast(std::string& text, int root) {
    std::uint64_t size = text.size();
    broadcast_bytes(&size, sizeof size, root);
    text.resize(size);
    broadcast_bytes(text.data(), size, root);
}

void Communicator::gather_all_sizes(std::uint64_t own, std::span<std::uint64_t> all) {
    if (size_ == 1) {
        all[0] = own;
        return;
    }
    const std::vector<std::uint64_t> sizes(size_, sizeof own);
    traffic_.messages += rounds(size_);
    traffic_.bytes += sizeof own * (size_ - 1);
    do_gather_all(&own, sizeof own, all.data(), sizes);
}

void Communicator::gather_all_bytes(const void* send, std::uint64_t size, void* received,
                                    std::span<const std::uint64_t> sizes) {
    if (size_ == 1) {
        if (size != 0) std::memcpy(received, send, size);
        return;
    }
    traffic_.messages += static_cast<std::uint64_t>(size_ - 1);
    traffic_.bytes += size * (size_ - 1);
    do_gather_all(send, size, received, sizes);
}

std::vector<std::string> Communicator::gather_all(const std::string& text) {
    std::vector<std::uint64_t> sizes(size_);
    gather_all_sizes(text.size(), sizes);
    std::uint64_t total = 0;
    for (const auto size : sizes) total += size;
    std::string all(total, '\0');
    gather_all_bytes(text.data(), text.size(), all.data(), sizes);
    std::vector<std::string> texts;
    std::uint64_t begin = 0;
    for (const auto size : sizes) {
        texts.push_back(all.substr(begin, size));
        begin += size;
    }
    return texts;
}

std::vector<std::string> Communicator::gather(const std::string& bytes, int root) {
    if (size_ == 1) return {bytes};
    std::vector<std::uint64_t> sizes(size_);
    gather_all_sizes(bytes.size(), sizes);
    if (rank_ != root && !bytes.empty()) {
        traffic_.messages += 1;
        traffic_.bytes += bytes.size();
    }
    std::uint64_t total = 0;
    for (const auto size : sizes) total += size;
    std::string all(rank_ == root ? total : 0, '\0');
    do_gather(bytes.data(), bytes.size(), all.data(), sizes, root);
    std::vector<std::string> pieces;
    if (rank_ != root) return pieces;
    std::uint64_t begin = 0;
    for (const auto size : sizes) {
        pieces.push_back(all.substr(begin, size));
        begin += size;
    }
    return pieces;
}

void Communicator::exchange_counts(std::span<const std::uint64_t> send, std::span<std::uint64_t> received) {
    REGROVE_CHECK(send.size() == static_cast<std::size_t>(size_));
    const std::vector<std::uint64_t> ones(size_, 1);
    exchange_bytes(send.data(), ones, received.data(), ones, sizeof(std::uint64_t));
}

void Communicator::exchange_bytes(const void* send, std::span<const std::uint64_t> send_counts, void* received,
                                  std::span<const std::uint64_t> received_counts, std::size_t element_bytes) {
    std::vector<std::uint64_t> send_bytes(send_counts.begin(), send_counts.end());
    std::vector<std::uint64_t> received_bytes(received_counts.begin(), received_counts.end());
    for (auto& bytes : send_bytes) bytes *= element_bytes;
    for (auto& bytes : received_bytes) bytes *= element_bytes;
    if (size_ == 1) {
        if (send_bytes[0] != 0) std::memcpy(received, send, send_bytes[0]);
        return;
    }
    for (int to = 0; to < size_; ++to) {
        if (to == rank_ || send_bytes[to] == 0) continue;
        traffic_.messages += 1;
        traffic_.bytes += send_bytes[to];
    }
    do_exchange(send, send_bytes, received, received_bytes);
}

void Communicator::merge_all_bytes(void* values, std::size_t size, const MergeBytes& merge) {
    if (size_ == 1 || size == 0) return;
    std::vector<std::byte> other(size);
    for (int step = 1; step < size_; step *= 2) {
        if (rank_ % (2 * step) == step) {
            traffic_.messages += 1;
            traffic_.bytes += size;
            do_send_receive(values, rank_ - step, nullptr, -1, size);
            break;
        }
        if (rank_ + step < size_) {
            do_send_receive(nullptr, -1, other.data(), rank_ + step, size);
            merge(values, other.data());
        }
    }
    broadcast_bytes(values, size, 0);
}

void Communicator::merge_from_higher_bytes(void* values, const void* identity, std::size_t size,
                                           const MergeBytes& merge) {
    if (size == 0) return;
    // `covered` is the merge over ranks [rank, rank + step), `result` over (rank, rank + step): Hillis and Steele's
    // scan.
    std::vector<std::byte> covered(size);
    std::vector<std::byte> result(size);
    std::vector<std::byte> other(size);
    std::memcpy(covered.data(), values, size);
    std::memcpy(result.data(), identity, size);
    for (int step = 1; step < size_; step *= 2) {
        const int to = rank_ - step;
        const int from = rank_ + step < size_ ? rank_ + step : -1;
        if (to >= 0) {
            traffic_.messages += 1;
            traffic_.bytes += size;
        }
        do_send_receive(covered.data(), to, other.data(), from, size);
        if (from >= 0) {
            merge(result.data(), other.data());
            merge(covered.data(), other.data());
        }
    }
    std::memcpy(values, result.data(), size);
}

namespace {

class SelfCommunicator final : public Communicator {
    void do_barrier() override {}
    void do_reduce(void*, std::size_t, Reduction) override {}
    void do_exclusive_sum(std::int64_t*, std::size_t) override {}
    void do_broadcast(void*, std::size_t, int) override {}
    void do_gather_all(const void*, std::uint64_t, void*, std::span<const std::uint64_t>) override {}
    void do_gather(const void*, std::uint64_t, void*, std::span<const std::uint64_t>, int) override {}
    void do_exchange(const void*, std::span<const std::uint64_t>, void*, std::span<const std::uint64_t>) override {}
    void do_send_receive(const void*, int, void*, int, std::size_t) override {}
};

}  // namespace

std::unique_ptr<Communicator> make_self_communicator() { return std::make_unique<SelfCommunicator>(); }

}  // namespace regrove::comm
