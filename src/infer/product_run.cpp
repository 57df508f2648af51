// One AND a node, then the monomials that hold for some row are added, in order.
#include "product_run.hpp"

namespace regrove::infer {

namespace {

RowBits all_rows() {
    RowBits bits;
    for (std::uint64_t& word : bits.words) word = ~std::uint64_t{0};
    return bits;
}

}  // namespace

std::vector<std::uint32_t> ProductTests::numbers_of(const std::vector<RankTest>& tests) {
    std::vector<std::uint32_t> numbers;
    for (const RankTest& test : tests) {
        const auto [at, is_new] = number_.emplace(test, static_cast<std::uint32_t>(tests_.size()));
        if (is_new) tests_.push_back(test);
        numbers.push_back(at->second);
    }
    return numbers;
}

void ProductTests::ask(const ScoreKernels& kernels, const std::vector<std::int8_t>& ranks,
                       std::vector<RowBits>& answers) const {
    answers.resize(tests_.size());
    for (std::size_t t = 0; t < tests_.size(); ++t)
        kernels.test_rows(ranks.data() + tests_[t].column * k_rank_rows, tests_[t].limit, answers[t]);
}

void ProductRun::add(const std::vector<std::uint32_t>& tests, const std::vector<double>& values) {
    std::uint32_t node = 0;
    for (const std::uint32_t test : tests) {
        const auto [at, is_new] =
            number_.emplace(HeldNode{node, test}, static_cast<std::uint32_t>(nodes_.size() + 1));
        if (is_new) nodes_.push_back({node, test});
        node = at->second;
    }
    ends_.push_back(node);
    values_.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) values_[k].push_back(values[k]);
}

void ProductRun::add_to(const ScoreKernels& kernels, const std::vector<RowBits>& answers, double* scores,
                        ProductRoom& room) const {
    room.held.resize(nodes_.size() + 1);
    room.products.resize(k_block_words * ends_.size());
    room.held[0] = all_rows();
    kernels.hold_nodes(nodes_, answers.data(), room.held.data());
    for (std::size_t k = 0; k < values_.size(); ++k) {
        std::size_t counts[k_block_words] = {};
        const double* const values = values_[k].data();
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            const RowBits& held = room.held[ends_[i]];
            for (std::size_t w = 0; w < k_block_words; ++w) {
                room.products[w * ends_.size() + counts[w]] = {held.words[w], values[i]};
                counts[w] += std::size_t{held.words[w] != 0} & std::size_t{values[i] != 0};
            }
        }
        for (std::size_t w = 0; w < k_block_words; ++w)
            kernels.add_products({room.products.data() + w * ends_.size(), counts[w]},
                                 scores + k * k_rank_rows + w * k_word_rows);
    }
}

}  // namespace regrove::infer
