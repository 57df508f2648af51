// A reduce-scatter as an exchange of pieces that each owner adds up: every word is sent once.
#include "regrove/dist/boosting_exchange.hpp"

#include <numeric>

#include "regrove/core/parallel.hpp"

namespace regrove::dist {

namespace {

constexpr std::size_t k_words_a_block = 16384;

class CommExchange final : public train::BoostingExchange {
  public:
    explicit CommExchange(comm::Communicator& comm) : comm_(comm) {}
    int ranks() const override { return comm_.size(); }
    int rank() const override { return comm_.rank(); }
    void sum(std::span<std::int64_t> values) override { comm_.sum(values); }

    void sum_pieces(std::span<const std::int64_t> send, std::span<const std::uint64_t> counts,
                    std::span<std::int64_t> own) override {
        const auto ranks = static_cast<std::size_t>(comm_.size());
        received_.resize(ranks * own.size());
        const std::vector<std::uint64_t> received_counts(ranks, own.size());
        comm_.exchange_known(send, counts, std::span(received_), std::span<const std::uint64_t>(received_counts));
        parallel_for_blocks(own.size(), k_words_a_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) own[i] = received_[i];
            for (std::size_t r = 1; r < ranks; ++r) {
                const std::int64_t* const piece = received_.data() + r * own.size();
                for (std::size_t i = begin; i < end; ++i) own[i] += piece[i];
            }
        });
    }

    std::vector<std::string> gather(const std::string& text) override { return comm_.gather_all(text); }

  private:
    comm::Communicator& comm_;
    std::vector<std::int64_t> received_;
};

}  // namespace

std::unique_ptr<train::BoostingExchange> make_boosting_exchange(comm::Communicator& comm) {
    if (comm.size() == 1) return std::make_unique<train::LoneExchange>();
    return std::make_unique<CommExchange>(comm);
}

}  // namespace regrove::dist
