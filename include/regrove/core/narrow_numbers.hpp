// A column of numbers kept in as few bytes as give each of them back exactly: whole small ones as bytes, others as floats or
// doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace regrove {

class NarrowNumbers {
  public:
    NarrowNumbers() = default;
    /// One width for all: the least that gives back every bit of every number (a zero's sign, too). Time O(n).
    explicit NarrowNumbers(std::span<const double> numbers);

    explicit NarrowNumbers(std::span<const std::uint32_t> numbers);

    std::size_t size() const;
    bool empty() const { return size() == 0; }
    std::size_t bytes_a_number() const;
    double operator[](std::size_t i) const;
    /// Numbers [begin, begin + out.size()).
    void read(std::size_t begin, std::span<double> out) const;
    /// out[i] becomes number place(i).
    template <class Place>
    void gather(std::span<double> out, Place place) const {
        std::visit(
            [&](const auto& kept) {
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(kept[place(i)]);
            },
            kept_);
    }
    std::vector<double> all() const;

  private:
    template <class Wide>
    void keep(std::span<const Wide> numbers);

    std::variant<std::vector<std::uint8_t>, std::vector<float>, std::vector<double>> kept_;
};

}  // namespace regrove
