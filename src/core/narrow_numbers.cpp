// Block by block over the threads; the widest that a block asks for is taken.
#include "regrove/core/narrow_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "regrove/core/large_pages.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove {

namespace {

constexpr std::size_t k_numbers_a_block = 65536;

bool is_same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

bool fits_byte(double x) {
    return x >= 0 && x <= std::numeric_limits<std::uint8_t>::max() &&
           is_same(static_cast<double>(static_cast<std::uint8_t>(x)), x);
}

/// Numbers that are not finite, and those beyond all floats, take the whole width.
bool fits_float(double x) {
    return std::fabs(x) <= static_cast<double>(std::numeric_limits<float>::max()) &&
           is_same(static_cast<double>(static_cast<float>(x)), x);
}

std::size_t bytes_for(std::span<const double> numbers) {
    if (std::all_of(numbers.begin(), numbers.end(), fits_byte)) return sizeof(std::uint8_t);
    return std::all_of(numbers.begin(), numbers.end(), fits_float) ? sizeof(float) : sizeof(double);
}

std::size_t bytes_for(std::span<const std::uint32_t> numbers) {
    const std::uint32_t largest = *std::max_element(numbers.begin(), numbers.end());
    if (largest <= std::numeric_limits<std::uint8_t>::max()) return sizeof(std::uint8_t);
    return largest < std::uint32_t{1} << 24U ? sizeof(float) : sizeof(double);
}

template <class Narrow, class Wide>
std::vector<Narrow> narrowed(std::span<const Wide> numbers) {
    std::vector<Narrow> kept;
    resize_large(kept, numbers.size());
    parallel_for_blocks(numbers.size(), k_numbers_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) kept[i] = static_cast<Narrow>(numbers[i]);
    });
    return kept;
}

}  // namespace

NarrowNumbers::NarrowNumbers(std::span<const double> numbers) { keep(numbers); }
NarrowNumbers::NarrowNumbers(std::span<const std::uint32_t> numbers) { keep(numbers); }

template <class Wide>
void NarrowNumbers::keep(std::span<const Wide> numbers) {
    std::vector<std::size_t> wanted((numbers.size() + k_numbers_a_block - 1) / k_numbers_a_block);
    parallel_for_blocks(numbers.size(), k_numbers_a_block, [&](std::size_t begin, std::size_t end) {
        wanted[begin / k_numbers_a_block] = bytes_for(numbers.subspan(begin, end - begin));
    });
    const std::size_t bytes = wanted.empty() ? 1 : *std::max_element(wanted.begin(), wanted.end());
    if (bytes == sizeof(std::uint8_t)) {
        kept_ = narrowed<std::uint8_t>(numbers);
    } else if (bytes == sizeof(float)) {
        kept_ = narrowed<float>(numbers);
    } else {
        kept_ = narrowed<double>(numbers);
    }
}

std::size_t NarrowNumbers::size() const {
    return std::visit([](const auto& kept) { return kept.size(); }, kept_);
}

std::size_t NarrowNumbers::bytes_a_number() const {
    return std::visit([](const auto& kept) { return sizeof(kept[0]); }, kept_);
}

double NarrowNumbers::operator[](std::size_t i) const {
    return std::visit([&](const auto& kept) { return static_cast<double>(kept[i]); }, kept_);
}

void NarrowNumbers::read(std::size_t begin, std::span<double> out) const {
    std::visit(
        [&](const auto& kept) {
            const auto* const from = kept.data() + begin;
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(from[i]);
        },
        kept_);
}

std::vector<double> NarrowNumbers::all() const {
    std::vector<double> numbers(size());
    parallel_for_blocks(numbers.size(), k_numbers_a_block, [&](std::size_t begin, std::size_t end) {
        read(begin, std::span(numbers).subspan(begin, end - begin));
    });
    return numbers;
}

}  // namespace regrove
