// One tree laid out for path-dependent attributions: for each question what its two ways do to the products of a
// path.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/gauss_points.hpp"
#include "regrove/algebra/shap_values.hpp"

namespace regrove::algebra {

/// Quadrature points that are worked on at a time; unused ones have weight zero.
constexpr std::size_t k_lanes = 4;
using Lanes = std::array<double, k_lanes>;

/// A row at a question: where it goes, or that it has already left the path at an earlier question about the same
/// feature.
enum class PathState : std::uint8_t { left, right, off };

/// What the ways from one question do, for four points.
struct PathFactors {
    /// Times the product of the path so far; by state, then left and right child.
    std::array<std::array<Lanes, 2>, 3> product;
    /// Times what is below the child: what the feature gets. Nothing when off: what it got above holds.
    std::array<std::array<Lanes, 2>, 2> share;
};

/// An inner node. Slots are the tree's node numbers.
struct PathQuestion {
    std::uint32_t slot = 0;
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t feature = 0;        ///< of the model
    std::uint32_t place = 0;          ///< of the feature among those asked for
    std::int32_t above = -1;          ///< number of the last question above about the same feature; -1: none
    PathState way = PathState::left;  ///< the way from there to here
    double threshold = 0;             ///< NaN: ask the full rule
};

/// Memory that one thread works in, enough for the largest tree.
struct PathScratch {
    std::vector<PathState> states;
    std::vector<Lanes> products;
    std::vector<Lanes> below;
};

class PathTree {
  public:
    PathTree(const model::Tree& tree, const TreeScores& scores, const std::vector<double>& cover,
             const AskedFeatures& asked);

    /// The scores' mean over all walks by chance: what the tree adds to the base, one a score of the tree.
    std::vector<double> mean() const;
    /// Where the row goes at each question. False when a surrogate would have to answer.
    bool set_states(std::span<const double> cells, PathScratch& scratch) const;
    /// Adds the row's shares, before they are summed over the lanes, to sums: scores of the model x features asked
    /// for.
    void add(PathScratch& scratch, std::span<Lanes> sums, std::size_t features) const;
    std::size_t nodes() const { return tree_->nodes.size(); }

  private:
    /// For each question those of its two children.
    std::vector<std::array<double, 2>> chances_of(const std::vector<double>& cover) const;
    std::size_t set_questions(const AskedFeatures& asked);
    void set_factors(const std::vector<std::array<double, 2>>& chances, std::size_t most_features);

    const model::Tree* tree_;
    const TreeScores* scores_;
    std::vector<PathQuestion> questions_;  ///< in pre-order
    std::vector<std::uint32_t> leaves_;
    std::vector<double> reach_;                      ///< chance of each node
    std::vector<std::vector<PathFactors>> factors_;  ///< for each four points, one a question
};

}  // namespace regrove::algebra
