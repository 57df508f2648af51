// The smallest of many numbers that change one at a time: a tournament, the first of equals wins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace regrove::prune {

/// `size` places, all infinite at first. set() takes O(log size), first() none.
class SmallestFirst {
  public:
    explicit SmallestFirst(std::size_t size) : values_(size, std::numeric_limits<double>::infinity()) {
        while (places_ < size) places_ *= 2;
        winners_.resize(2 * places_);
        for (std::size_t i = 0; i < places_; ++i) winners_[places_ + i] = static_cast<std::uint32_t>(i);
        for (std::size_t i = places_; i-- > 1;) winners_[i] = winners_[2 * i];
    }

    void set(std::size_t place, double value) {
        values_[place] = value;
        for (std::size_t i = (places_ + place) / 2; i > 0; i /= 2) winners_[i] = better(2 * i);
    }
    double value(std::size_t place) const { return values_[place]; }
    /// The place of the smallest value; of equal ones the first.
    std::size_t first() const { return winners_[1]; }

  private:
    double value_or_infinity(std::uint32_t place) const {
        return place < values_.size() ? values_[place] : std::numeric_limits<double>::infinity();
    }
    std::uint32_t better(std::size_t left) const {
        return value_or_infinity(winners_[left + 1]) < value_or_infinity(winners_[left]) ? winners_[left + 1]
                                                                                         : winners_[left];
    }

    std::vector<double> values_;
    std::size_t places_ = 1;
    std::vector<std::uint32_t> winners_;  ///< of each match; the final is at 1
};

}  // namespace regrove::prune
