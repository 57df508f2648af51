// Objectives see doubles: those of all rows at once only where rows are told apart by group.
#include "regrove/dist/training_labels.hpp"

#include <algorithm>

namespace regrove::dist {

namespace {

constexpr std::size_t k_rows_a_piece = 65536;

/// Calls work(rows, first) for consecutive pieces, at least one; `first` is the piece's first row.
template <class Work>
void for_each_piece(const TrainingLabels& all, bool grouped, Work work) {
    if (grouped || all.rows() <= k_rows_a_piece) return work(all.whole(), std::size_t{0});
    RowLabels piece;
    for (std::size_t begin = 0; begin < all.rows(); begin += k_rows_a_piece) {
        const std::size_t count = std::min(k_rows_a_piece, all.rows() - begin);
        piece.labels.resize(count);
        all.labels.read(begin, piece.labels);
        piece.weights.resize(all.weights.empty() ? 0 : count);
        all.weights.read(begin, piece.weights);
        work(piece, begin);
    }
}

}  // namespace

RowLabels TrainingLabels::whole() const { return {labels.all(), weights.all(), group_begins}; }

void check_labels(const objective::Objective& objective, const TrainingLabels& rows, std::uint64_t first_row) {
    for_each_piece(rows, objective.grouped(), [&](const RowLabels& piece, std::size_t first) {
        objective.check_labels(piece.view(), first_row + first);
    });
}

std::vector<std::int64_t> summarise(const objective::Objective& objective, const TrainingLabels& rows) {
    std::vector<std::int64_t> words;
    for_each_piece(rows, objective.grouped(), [&](const RowLabels& piece, std::size_t) {
        const auto own = objective.summarise(piece.view());
        words.resize(own.size(), 0);
        for (std::size_t i = 0; i < own.size(); ++i) words[i] += own[i];
    });
    return words;
}

}  // namespace regrove::dist
