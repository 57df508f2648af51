// Vectors of many megabytes on huge pages where the system has them: a page fault for each 4 KiB takes longer than filling them.
#pragma once

#include <cstddef>
#include <vector>

namespace regrove {

/// Asks for huge pages within [begin, begin + bytes), before it is first written to. Only a wish; nothing for a few megabytes.
void wish_for_large_pages(void* begin, std::size_t bytes);

/// Makes a vector of `count` elements, whatever they were before, for one that is to stay and to be gone through again and again.
template <class T>
void resize_large(std::vector<T>& values, std::size_t count) {
    if (count > values.capacity()) {
        values.clear();
        values.reserve(count);
        wish_for_large_pages(values.data(), count * sizeof(T));
    }
    values.resize(count);
}

}  // namespace regrove
