// Tree by tree over a block of rows, whose sums stay in the cache.
#include "regrove/algebra/path_shap.hpp"

#include <algorithm>
#include <string>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"

#include "path_tree.hpp"

namespace regrove::algebra {

namespace {

/// Rows that take one tree after the other together: the tables of a tree are read from the cache.
constexpr std::size_t k_block_rows = 32;

PathScratch make_scratch(const std::vector<PathTree>& trees) {
    std::size_t most = 0;
    for (const PathTree& tree : trees) most = std::max(most, tree.nodes());
    return {std::vector<PathState>(most), std::vector<Lanes>(most), std::vector<Lanes>(most)};
}

[[noreturn]] void refuse_surrogate(std::uint64_t row) {
    throw InputError("row " + std::to_string(row) +
                     " lacks a value for which a question of the model has surrogates, so its way depends on other "
                     "features than the question's own: path-dependent attributions do not say how those share; take "
                     "interventional ones, which do");
}

}  // namespace

namespace {

/// Factors are kept for all questions; on paths of many features more, by fours of points.
constexpr std::uint64_t k_bytes_of_question = 480;
constexpr std::uint64_t k_most_bytes = std::uint64_t{1} << 33U;

void check_size(const model::Ensemble& ensemble) {
    std::uint64_t questions = 0;
    for (const model::Tree& tree : ensemble.trees) questions += tree.nodes.size() / 2;
    if (questions * k_bytes_of_question > k_most_bytes)
        throw LimitError("the factors of " + std::to_string(questions) +
                         " questions do not fit into 8 GiB; explain a model of at "
                         "most " +
                         std::to_string(k_most_bytes / k_bytes_of_question) +
                         " questions, or rows by --mode interventional");
}

}  // namespace

PathShap::PathShap(const model::Ensemble& ensemble, const TreeCovers& covers) : ShapValues(ensemble) {
    REGROVE_CHECK(covers.size() == ensemble.trees.size());
    check_size(ensemble);
    std::vector<double> base = scores_.initial;
    for (std::size_t t = 0; t < covers.size(); ++t) {
        trees_.emplace_back(ensemble.trees[t], scores_.trees[t], covers[t], asked_);
        const std::vector<double> mean = trees_.back().mean();
        for (std::size_t k = 0; k < mean.size(); ++k) base[scores_.trees[t].first + k] += mean[k];
    }
    for (double& score : base) score /= scores_.divisor;
    set_base(std::move(base), 0);
}

PathShap::~PathShap() = default;

void PathShap::explain(std::span<const double> cells, std::uint64_t first_row, std::span<double> phi) const {
    const std::size_t width = ensemble_.features.size();
    const std::size_t own = scores_.count() * features().size();
    const std::size_t rows = width == 0 ? 0 : cells.size() / width;
    REGROVE_CHECK(phi.size() == rows * own);
    PathScratch scratch = make_scratch(trees_);
    std::vector<Lanes> sums;
    for (std::size_t begin = 0; begin < rows; begin += k_block_rows) {
        const std::size_t end = std::min(begin + k_block_rows, rows);
        sums.assign((end - begin) * own, Lanes{});
        for (const PathTree& tree : trees_)
            for (std::size_t row = begin; row < end; ++row) {
                if (!tree.set_states(cells.subspan(row * width, width), scratch)) refuse_surrogate(first_row + row);
                tree.add(scratch, std::span(sums).subspan((row - begin) * own, own), features().size());
            }
        for (std::size_t i = 0; i < sums.size(); ++i)
            phi[begin * own + i] = ((sums[i][0] + sums[i][1]) + (sums[i][2] + sums[i][3])) / scores_.divisor;
    }
}

}  // namespace regrove::algebra
