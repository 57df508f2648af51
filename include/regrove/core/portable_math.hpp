// Logarithm, exponential, sine and normal quantile from IEEE basic operations only, so that every machine agrees on the bits.
//
// The C library picks other code on processors with fused multiply-add, so its last bit differs between machines;
// these do not. Accuracy is a few units in the last place, which the unit tests check against the C library.
#pragma once

#include <span>

namespace regrove::portable {

/// Natural logarithm of x > 0; -inf for 0, NaN below.
double log(double x);
/// Base-2 logarithm of x > 0.
double log2(double x);
/// e^x.
double exp(double x);
/// Each value replaced by e to its power: the bits of exp, several at a time.
void exp_all(std::span<double> values);
/// Sine of x for |x| < 1e5.
double sin(double x);
/// Quantile of the standard normal distribution for p in (0, 1) (Wichura 1988, algorithm AS241, PPND16).
double normal_quantile(double p);

}  // namespace regrove::portable
