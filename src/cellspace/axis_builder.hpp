// Collects what questions of several models ask of one feature and cuts it into cells.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "regrove/cellspace/space.hpp"

namespace regrove::cellspace {

/// The largest double that, rounded to float, is at most `threshold`: `float(x) > threshold` is `x > result` for every
/// double x. NaN is not allowed.
double float32_border(double threshold);

/// The model's code of each category of an axis; its size where the model does not know it.
std::vector<std::uint32_t> codes_of(const Axis& axis, const model::Feature& feature);

class AxisBuilder {
  public:
    explicit AxisBuilder(const model::Feature& feature);

    /// Adds categories that earlier models do not know. Throws InputError when the kinds differ.
    void join(const model::Feature& feature);
    void ask(const model::Feature& feature, const model::Question& question);
    void ask(const model::Feature& feature, const model::Surrogate& surrogate);
    Axis build(UnseenValues unseen) const;

  private:
    void add_threshold(const model::Feature& feature, double threshold);
    template <class Answer>
    void add_signature(const model::Feature& feature, Answer answer);

    Axis axis_;
    bool missing_seen_ = false;
    std::map<double, double> thresholds_;  ///< border -> as written
    /// Category: what each question so far answers for each code of the axis: '<', '>' or '?'.
    std::vector<std::string> signatures_;
};

}  // namespace regrove::cellspace
