#include "regrove/comm/mpi_session.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <mpi.h>

#include "regrove/core/check.hpp"

namespace regrove::comm {

namespace {

constexpr std::uint64_t k_piece_bytes = std::uint64_t{1} << 30U;
constexpr int k_exchange_tag = 11;
constexpr int k_merge_tag = 12;

void require(int status, const char* call) {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw InternalError(std::string(call) + " failed: " + std::string(text, length));
}

void add_int128(void* from, void* into, int* length, MPI_Datatype*) {
    const auto* a = static_cast<const char*>(from);
    auto* b = static_cast<char*>(into);
    for (int i = 0; i < *length; ++i) {
        Int128 x = 0;
        Int128 y = 0;
        std::memcpy(&x, a + i * sizeof(Int128), sizeof x);
        std::memcpy(&y, b + i * sizeof(Int128), sizeof y);
        y += x;
        std::memcpy(b + i * sizeof(Int128), &y, sizeof y);
    }
}

/// Calls f(offset, count) on pieces of [0, total) small enough for MPI's int counts.
template <class F>
void for_pieces(std::uint64_t total, std::uint64_t piece, F&& f) {
    for (std::uint64_t begin = 0; begin < total; begin += piece) {
        f(begin, static_cast<int>(std::min(piece, total - begin)));
    }
}

class MpiCommunicator final : public Communicator {
  public:
    MpiCommunicator() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm host = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
        MPI_Comm_size(host, &local_size_);
        MPI_Comm_free(&host);
        MPI_Type_contiguous(sizeof(Int128), MPI_BYTE, &int128_type_);
        MPI_Type_commit(&int128_type_);
        MPI_Op_create(&add_int128, 1, &int128_sum_);
    }
    ~MpiCommunicator() override {
        MPI_Op_free(&int128_sum_);
        MPI_Type_free(&int128_type_);
    }

  private:
    void do_barrier() override { require(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

    void do_reduce(void* values, std::size_t count, Reduction reduction) override {
        struct Call {
            MPI_Datatype type;
            MPI_Op op;
            std::size_t element_bytes;
        };
        const Call call = [&]() -> Call {
            switch (reduction) {
                case Reduction::sum_int64:
                    return {MPI_INT64_T, MPI_SUM, 8};
                case Reduction::sum_uint64:
                    return {MPI_UINT64_T, MPI_SUM, 8};
                case Reduction::sum_int128:
                    return {int128_type_, int128_sum_, sizeof(Int128)};
                case Reduction::max_double:
                    return {MPI_DOUBLE, MPI_MAX, 8};
                case Reduction::min_double:
                    return {MPI_DOUBLE, MPI_MIN, 8};
                case Reduction::max_uint64:
                    return {MPI_UINT64_T, MPI_MAX, 8};
            }
            throw InternalError("unknown reduction");
        }();
        for_pieces(count, k_piece_bytes / call.element_bytes, [&](std::uint64_t begin, int piece) {
            require(MPI_Allreduce(MPI_IN_PLACE, static_cast<char*>(values) + begin * call.element_bytes, piece,
                                  call.type, call.op, MPI_COMM_WORLD),
                    "MPI_Allreduce");
        });
    }

    void do_exclusive_sum(std::int64_t* values, std::size_t count) override {
        for_pieces(count, k_piece_bytes / sizeof(std::int64_t), [&](std::uint64_t begin, int piece) {
            require(MPI_Exscan(MPI_IN_PLACE, values + begin, piece, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD),
                    "MPI_Exscan");
        });
        if (rank_ == 0) std::fill_n(values, count, 0);
    }

    void do_broadcast(void* bytes, std::size_t size, int root) override {
        for_pieces(size, k_piece_bytes, [&](std::uint64_t begin, int piece) {
            require(MPI_Bcast(static_cast<char*>(bytes) + begin, piece, MPI_BYTE, root, MPI_COMM_WORLD), "MPI_Bcast");
        });
    }

    void do_gather_all(const void* send, std::uint64_t size, void* received,
                       std::span<const std::uint64_t> sizes) override {
        std::uint64_t total = 0;
        for (const auto s : sizes) total += s;
        if (total > k_piece_bytes) {
            gather_all_pairwise(send, size, received, sizes);
            return;
        }
        std::vector<int> counts(sizes.begin(), sizes.end());
        std::vector<int> offsets(sizes.size(), 0);
        for (std::size_t r = 1; r < sizes.size(); ++r) offsets[r] = offsets[r - 1] + counts[r - 1];
        require(MPI_Allgatherv(send, static_cast<int>(size), MPI_BYTE, received, counts.data(), offsets.data(),
                               MPI_BYTE, MPI_COMM_WORLD),
                "MPI_Allgatherv");
    }

    void gather_all_pairwise(const void* send, std::uint64_t size, void* received,
                             std::span<const std::uint64_t> sizes) {
        char* into = static_cast<char*>(received);
        for (int root = 0; root < size_; ++root) {
            if (root == rank_ && size != 0) std::memcpy(into, send, size);
            do_broadcast(into, sizes[root], root);
            into += sizes[root];
        }
    }

    void do_gather(const void* send, std::uint64_t size, void* received, std::span<const std::uint64_t> sizes,
                   int root) override {
        std::vector<MPI_Request> requests;
        if (rank_ != root) post_sends(send, size, root, requests);
        if (rank_ == root) {
            char* into = static_cast<char*>(received);
            for (int from = 0; from < size_; ++from) {
                if (from == root && size != 0) std::memcpy(into, send, size);
                if (from != root) post_receives(into, sizes[from], from, requests);
                into += sizes[from];
            }
        }
        wait(requests);
    }

    void do_exchange(const void* send, std::span<const std::uint64_t> send_bytes, void* received,
                     std::span<const std::uint64_t> received_bytes) override {
        std::vector<MPI_Request> requests;
        std::vector<std::uint64_t> offsets(size_ + 1, 0);
        char* into = static_cast<char*>(received);
        char* own = nullptr;
        for (int from = 0; from < size_; ++from) {
            if (from == rank_) own = into;
            if (from != rank_) post_receives(into, received_bytes[from], from, requests);
            into += received_bytes[from];
            offsets[from + 1] = offsets[from] + send_bytes[from];
        }
        const char* bytes = static_cast<const char*>(send);
        for (int shift = 1; shift < size_; ++shift) {
            const int to = (rank_ + shift) % size_;
            post_sends(bytes + offsets[to], send_bytes[to], to, requests);
        }
        if (send_bytes[rank_] != 0) std::memcpy(own, bytes + offsets[rank_], send_bytes[rank_]);
        wait(requests);
    }

    void do_send_receive(const void* send, int to, void* received, int from, std::size_t size) override {
        for_pieces(size, k_piece_bytes, [&](std::uint64_t begin, int piece) {
            require(MPI_Sendrecv(static_cast<const char*>(send) + begin, to < 0 ? 0 : piece, MPI_BYTE,
                                 to < 0 ? MPI_PROC_NULL : to, k_merge_tag, static_cast<char*>(received) + begin,
                                 from < 0 ? 0 : piece, MPI_BYTE, from < 0 ? MPI_PROC_NULL : from, k_merge_tag,
                                 MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                    "MPI_Sendrecv");
        });
    }

    static void post_sends(const void* send, std::uint64_t size, int to, std::vector<MPI_Request>& requests) {
        for_pieces(size, k_piece_bytes, [&](std::uint64_t begin, int piece) {
            requests.emplace_back();
            require(MPI_Isend(static_cast<const char*>(send) + begin, piece, MPI_BYTE, to, k_exchange_tag,
                              MPI_COMM_WORLD, &requests.back()),
                    "MPI_Isend");
        });
    }
    static void post_receives(void* received, std::uint64_t size, int from, std::vector<MPI_Request>& requests) {
        for_pieces(size, k_piece_bytes, [&](std::uint64_t begin, int piece) {
            requests.emplace_back();
            require(MPI_Irecv(static_cast<char*>(received) + begin, piece, MPI_BYTE, from, k_exchange_tag,
                              MPI_COMM_WORLD, &requests.back()),
                    "MPI_Irecv");
        });
    }
    static void wait(std::vector<MPI_Request>& requests) {
        if (requests.empty()) return;
        require(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    }

    MPI_Datatype int128_type_ = MPI_DATATYPE_NULL;
    MPI_Op int128_sum_ = MPI_OP_NULL;
};

/// Open MPI's mpirun, PMIx and PMI launchers (srun) each set one of these; Slurm alone sets SLURM_PROCID in batch
/// scripts too, so it does not count by itself.
const char* rank_text() {
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
        if (const char* const text = std::getenv(name)) return text;
    }
    return nullptr;
}

}  // namespace

bool launched_on_ranks() { return rank_text() != nullptr; }

int launch_rank() {
    const char* const text = rank_text();
    return text == nullptr ? 0 : std::atoi(text);
}

MpiSession::MpiSession() {
    if (!launched_on_ranks()) {
        setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
        setenv("OMPI_MCA_pml", "ob1", 0);
        setenv("OMPI_MCA_btl", "self", 0);
    }
    int provided = 0;
    require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    if (provided < MPI_THREAD_FUNNELED) throw InternalError("this MPI library does not allow threads beside it");
    world_ = std::make_unique<MpiCommunicator>();
}

MpiSession::~MpiSession() {
    world_.reset();
    MPI_Finalize();
}

Communicator& MpiSession::world() { return *world_; }

void MpiSession::abort(int exit_code) {
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

std::string mpi_version_text() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string version(text, length);
    return version.substr(0, version.find(','));
}

}  // namespace regrove::comm
