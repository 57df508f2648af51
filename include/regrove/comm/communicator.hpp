// A group of ranks and its typed collectives; the only door to MPI.
//
// Every call is collective: all ranks make the same calls in the same order. Work between two calls must not throw on
// one rank only; wrap it in agree() (comm/agreement.hpp). A communicator of one rank needs no MPI at all.
// Counts are 64-bit; messages are cut into pieces of at most 1 GiB. Every call counts its messages and bytes (Traffic).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "regrove/core/int128.hpp"

namespace regrove::comm {

/// What this rank has sent so far. Collectives count by the cost model in docs/scaling.md: what the algorithm sends
/// between different ranks, not what the MPI library adds.
struct Traffic {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

/// Per-destination pieces of one flat buffer, as in MPI_Alltoallv; counts are in elements.
template <class T>
struct Pieces {
    std::vector<T> values;
    std::vector<std::uint64_t> counts;  ///< one per rank; their sum is values.size()
};

class Communicator {
  public:
    virtual ~Communicator() = default;
    int rank() const { return rank_; }
    int size() const { return size_; }
    bool is_root() const { return rank_ == 0; }
    /// Ranks on this host, this one included.
    int local_size() const { return local_size_; }
    const Traffic& traffic() const { return traffic_; }

    void barrier();

    /// Element-wise sums over all ranks, in place, on every rank; integers only, so that the order does not matter.
    void sum(std::span<std::int64_t> values);
    void sum(std::span<std::uint64_t> values);
    void sum(std::span<Int128> values);
    std::uint64_t sum(std::uint64_t value);
    void max(std::span<double> values);
    void min(std::span<double> values);
    void max(std::span<std::uint64_t> values);
    std::uint64_t max(std::uint64_t value);

    /// Element-wise sum over the ranks before this one (zeros on rank 0), in place.
    void exclusive_sum(std::span<std::int64_t> values);
    std::uint64_t exclusive_sum(std::uint64_t value);

    /// Rank `root`'s values on every rank; the vector is resized.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void broadcast(std::vector<T>& values, int root = 0) {
        std::uint64_t count = values.size();
        broadcast_bytes(&count, sizeof count, root);
        values.resize(count);
        broadcast_bytes(values.data(), count * sizeof(T), root);
    }
    void broadcast(std::string& text, int root = 0);

    /// All ranks' values behind each other, in rank order, on every rank.
    template <class T>
    requires std::is_trivially_copyable_v<T> std::vector<T> gather_all(std::span<const T> values) {
        std::vector<std::uint64_t> bytes(size());
        gather_all_sizes(values.size_bytes(), bytes);
        std::uint64_t total = 0;
        for (const auto b : bytes) total += b;
        std::vector<T> all(total / sizeof(T));
        gather_all_bytes(values.data(), values.size_bytes(), all.data(), bytes);
        return all;
    }
    template <class T>
    requires std::is_trivially_copyable_v<T> std::vector<T> gather_all(const T& value) {
        return gather_all(std::span<const T>(&value, 1));
    }
    std::vector<std::string> gather_all(const std::string& text);

    /// All ranks' bytes on the root only (one string a rank; empty elsewhere).
    std::vector<std::string> gather(const std::string& bytes, int root = 0);

    /// Each rank sends piece r to rank r; the result holds the pieces received, in rank order.
    template <class T>
    requires std::is_trivially_copyable_v<T> Pieces<T> exchange(const Pieces<T>& send) {
        Pieces<T> received;
        received.counts.resize(size());
        exchange_counts(send.counts, received.counts);
        std::uint64_t total = 0;
        for (const auto c : received.counts) total += c;
        received.values.resize(total);
        exchange_bytes(send.values.data(), send.counts, received.values.data(), received.counts, sizeof(T));
        return received;
    }
    /// As above when every rank already knows what it receives: no message for the counts.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void exchange_known(std::span<const T> send, std::span<const std::uint64_t> send_counts, std::span<T> received,
                        std::span<const std::uint64_t> received_counts) {
        exchange_bytes(send.data(), send_counts, received.data(), received_counts, sizeof(T));
    }

    /// Merges equally sized arrays of plain structs element by element with an associative `merge(into, from)`, where
    /// `from` always comes from a higher rank; the result on every rank. Log-depth, any rank count.
    template <class T, class Merge>
    requires std::is_trivially_copyable_v<T>
    void merge_all(std::span<T> values, Merge merge) {
        merge_all_bytes(values.data(), values.size_bytes(), [&](void* into, const void* from) {
            auto* a = static_cast<T*>(into);
            const auto* b = static_cast<const T*>(from);
            for (std::size_t i = 0; i < values.size(); ++i) merge(a[i], b[i]);
        });
    }
    /// For each element, the merge over all *higher* ranks (`identity` on the last): a reverse exclusive scan.
    template <class T, class Merge>
    requires std::is_trivially_copyable_v<T>
    void merge_from_higher(std::span<T> values, const T& identity, Merge merge) {
        const std::vector<T> start(values.size(), identity);
        merge_from_higher_bytes(values.data(), start.data(), values.size_bytes(), [&](void* into, const void* from) {
            auto* a = static_cast<T*>(into);
            const auto* b = static_cast<const T*>(from);
            for (std::size_t i = 0; i < values.size(); ++i) merge(a[i], b[i]);
        });
    }

  protected:
    using MergeBytes = std::function<void(void*, const void*)>;
    enum class Reduction { sum_int64, sum_uint64, sum_int128, max_double, min_double, max_uint64 };

    virtual void do_barrier() = 0;
    virtual void do_reduce(void* values, std::size_t count, Reduction reduction) = 0;
    virtual void do_exclusive_sum(std::int64_t* values, std::size_t count) = 0;
    virtual void do_broadcast(void* bytes, std::size_t size, int root) = 0;
    virtual void do_gather_all(const void* send, std::uint64_t size, void* received,
                               std::span<const std::uint64_t> sizes) = 0;
    virtual void do_gather(const void* send, std::uint64_t size, void* received, std::span<const std::uint64_t> sizes,
                           int root) = 0;
    virtual void do_exchange(const void* send, std::span<const std::uint64_t> send_bytes, void* received,
                             std::span<const std::uint64_t> received_bytes) = 0;
    /// Sends to one rank while receiving from another; a negative rank means neither.
    virtual void do_send_receive(const void* send, int to, void* received, int from, std::size_t size) = 0;

    int rank_ = 0;
    int size_ = 1;
    int local_size_ = 1;
    Traffic traffic_;

  private:
    void broadcast_bytes(void* bytes, std::size_t size, int root);
    void gather_all_sizes(std::uint64_t own, std::span<std::uint64_t> all);
    void gather_all_bytes(const void* send, std::uint64_t size, void* received, std::span<const std::uint64_t> sizes);
    void exchange_counts(std::span<const std::uint64_t> send, std::span<std::uint64_t> received);
    void exchange_bytes(const void* send, std::span<const std::uint64_t> send_counts, void* received,
                        std::span<const std::uint64_t> received_counts, std::size_t element_bytes);
    void merge_all_bytes(void* values, std::size_t size, const MergeBytes& merge);
    void merge_from_higher_bytes(void* values, const void* identity, std::size_t size, const MergeBytes& merge);
    void reduce(void* values, std::size_t count, std::size_t element_bytes, Reduction reduction);
};

/// One rank, no MPI.
std::unique_ptr<Communicator> make_self_communicator();

}  // namespace regrove::comm
