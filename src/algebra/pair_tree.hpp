// One tree as asks of one feature each, and where the background rows go at each of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/shap_values.hpp"

namespace regrove::algebra {

/// Where an ask sends a row: another ask, or a leaf (the complement of its number).
using PairTarget = std::int32_t;

/// A question's own feature, or one of its surrogates', is looked at.
struct PairAsk {
    std::uint32_t feature = 0;    ///< of the model
    std::uint32_t place = 0;      ///< among those asked for
    std::uint32_t own = 0;        ///< among those of the tree
    std::uint32_t node = 0;       ///< the question's
    std::int32_t surrogate = -1;  ///< its number; -1: the question itself
    PairTarget left = 0;
    PairTarget right = 0;
    PairTarget unanswered = 0;  ///< the next surrogate; after the last one, where missing values go
};

/// Whose value a feature has on the way to here.
enum class Owner : std::uint8_t { open, row, background };

/// Memory that one thread works in.
struct PairScratch {
    std::vector<PairTarget> targets;
    std::vector<Owner> owners;
    std::vector<double> phi;  ///< of one tree, summed over the background
};

class PairTree {
  public:
    PairTree(const model::Tree& tree, const TreeScores& scores, const AskedFeatures& asked);

    std::size_t asks() const { return asks_.size(); }
    /// Takes the rows in; to be called once.
    void set_background(std::span<const double> cells, std::size_t width);
    /// The sums of the leaves' values over the background rows, one a score of the tree.
    std::vector<double> background_sum() const;
    /// Adds the row's phi, summed over the background rows, to phi: scores of the model x features asked for.
    void add(std::span<const double> cells, PairScratch& scratch, std::span<double> phi, std::size_t features) const;

  private:
    class Walk;

    PairTarget set_asks(const AskedFeatures& asked);
    PairTarget target(const PairAsk& ask, std::span<const double> cells) const;
    void set_targets(std::span<const double> cells, PairTarget* targets) const;

    const model::Tree* tree_;
    const TreeScores* scores_;
    std::vector<PairAsk> asks_;
    PairTarget root_ = 0;
    std::uint32_t own_features_ = 0;
    std::uint32_t bound_features_ = 0;    ///< the most that one way can bind
    std::vector<double> shares_;          ///< of p and n: p! n! / (p + n + 1)!, bound_features_ numbers for each p
    std::vector<PairTarget> background_;  ///< kinds x asks
    std::vector<double> kind_rows_;       ///< background rows of each kind
};

}  // namespace regrove::algebra
