// The sums travel as plain integers.
#include "regrove/dist/exact_means.hpp"

#include <span>

namespace regrove::dist {

std::vector<double> exact_means(comm::Communicator& comm, const std::vector<ExactSum>& sums, std::uint64_t count) {
    std::vector<std::int64_t> words;
    words.reserve(sums.size() * ExactSum::k_words);
    for (const ExactSum& sum : sums) {
        const auto own = sum.words();
        words.insert(words.end(), own.begin(), own.end());
    }
    comm.sum(std::span<std::int64_t>(words));
    std::vector<double> means;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto own = std::span<const std::int64_t>(words).subspan(i * ExactSum::k_words, ExactSum::k_words);
        means.push_back(ExactSum::from_words(own).value() / static_cast<double>(count));
    }
    return means;
}

}  // namespace regrove::dist
