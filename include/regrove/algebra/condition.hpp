// A right-split indicator: the atom that monomials are products of.
//
// Glossary of the module (Kuralenok, Ershov and Labutin 2019, "MonoForest framework for tree ensemble analysis"):
//   condition    I(x > border), I(x = category), I(x in a large set of categories) or I(x is missing) of one feature;
//                all are 0 at the baseline: numbers below all borders, categories unknown, nothing missing
//   monomial     a product of conditions; of one feature at most one, but for large sets
//   coefficient  what a monomial adds to each raw score, an integer multiple of the polynomial's unit, a power of two
//   polynomial   a sum of monomials, the empty one (the baseline's score) among them: equal to an ensemble everywhere
//   frame        the ensemble without its trees: features, classes, link
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::algebra {

using ConditionId = std::uint32_t;

enum class ConditionKind : std::uint8_t { above, equals, within, missing };

struct Condition {
    FeatureId feature = k_no_feature;
    ConditionKind kind = ConditionKind::above;
    double border = 0;               ///< above: x > border; for a float32 feature the border is a float
    std::uint32_t category = 0;      ///< equals: the code
    std::vector<std::uint64_t> set;  ///< within: bit c set: code c
    friend auto operator<=>(const Condition&, const Condition&) = default;
};

/// Whether the condition holds for a feature's cell, as infer::Binding fills it.
bool holds(const Condition& condition, double cell);

/// The largest float not above `threshold` for a float32 feature, so that thresholds that no value of the feature tells
/// apart are one border; else the threshold itself. Zero has no sign.
double canonical_border(double threshold, model::NumericPrecision precision);

/// What the product of two conditions of one feature is.
enum class Product : std::uint8_t {
    first,   ///< the first devours the second
    second,  ///< the second devours the first
    never,   ///< they contradict each other
    both,    ///< neither: two large sets that overlap
};

Product product(const Condition& first, const Condition& second);

/// The conditions of a model, sorted by feature, kind, border or category: an id is a place in it. Sorted ids are sorted
/// by feature, and a feature's borders rise.
class ConditionTable {
  public:
    ConditionTable() = default;
    /// Sorts and drops what stands twice. Throws LimitError when there are more than 2^32 - 2.
    explicit ConditionTable(std::vector<Condition> conditions);

    std::size_t size() const { return conditions_.size(); }
    const Condition& operator[](ConditionId id) const { return conditions_[id]; }
    std::span<const Condition> all() const { return conditions_; }
    /// The condition must be there.
    ConditionId find(const Condition& condition) const;
    friend bool operator==(const ConditionTable&, const ConditionTable&) = default;

  private:
    std::vector<Condition> conditions_;
};

/// "age > 30.5", "colour == red", "colour in {red, blue}", "age is missing".
std::string condition_text(const Condition& condition, const std::vector<model::Feature>& features);

/// The question that sends exactly the condition's rows right, for a tree.
model::Question condition_question(const Condition& condition, const std::vector<model::Feature>& features);

}  // namespace regrove::algebra
