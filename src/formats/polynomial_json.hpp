// Polynomials as model files: conditions and monomials, one a line; each monomial is a tree of one path.
//
// docs/formats.md describes it. A monomial c1 c2 ... with coefficient w is the tree that asks c1, then on the right c2, and
// so on; its last right leaf holds w, all left leaves hold zero. So whatever takes an ensemble takes a polynomial.
#pragma once

#include <string>
#include <string_view>

#include "regrove/model/ensemble.hpp"

namespace regrove::formats {

constexpr std::string_view k_polynomial_json = "regrove-polynomial";
constexpr int k_polynomial_json_version = 1;

bool sniff_polynomial_json(std::string_view head);
model::Ensemble read_polynomial_json(std::string_view text, const std::string& file);
/// Throws FormatError when the ensemble is no sum of monomials' trees as read_polynomial_json makes them.
std::string write_polynomial_json(const model::Ensemble& ensemble);

}  // namespace regrove::formats
