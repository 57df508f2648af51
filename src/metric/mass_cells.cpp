// Words of counts and of exact sums.
#include "mass_cells.hpp"

#include "regrove/core/check.hpp"

namespace regrove::metric {

MassCells::MassCells(std::size_t cells, const Predictions& predictions) {
    if (predictions.weight.empty()) {
        counts_.resize(cells);
    } else {
        sums_.resize(cells);
    }
}

void MassCells::add(std::size_t cell, double weight) {
    if (sums_.empty()) {
        ++counts_[cell];
    } else {
        sums_[cell].add(weight);
    }
}

Summary MassCells::take() const { return sums_.empty() ? Summary{counts_, {}} : to_summary(sums_); }

std::vector<double> masses(std::span<const std::int64_t> words, std::size_t cells) {
    std::vector<double> values(cells, 0.0);
    if (words.empty()) return values;
    const std::size_t stride = words.size() / cells;
    REGROVE_CHECK(words.size() == cells * stride && (stride == 1 || stride == ExactSum::k_words));
    for (std::size_t i = 0; i < cells; ++i) {
        values[i] = stride == 1 ? static_cast<double>(words[i])
                                : ExactSum::from_words(words.subspan(i * stride, stride)).value();
    }
    return values;
}

Summary to_summary(std::span<const ExactSum> sums) {
    Summary summary;
    summary.words.reserve(sums.size() * ExactSum::k_words);
    for (const ExactSum& sum : sums) {
        const auto words = sum.words();
        summary.words.insert(summary.words.end(), words.begin(), words.end());
    }
    return summary;
}

ExactSum exact_sum_at(const Summary& summary, std::size_t i) {
    if (summary.words.empty()) return {};
    const std::span<const std::int64_t> words(summary.words);
    return ExactSum::from_words(words.subspan(i * ExactSum::k_words, ExactSum::k_words));
}

}  // namespace regrove::metric
