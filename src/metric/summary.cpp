// Joins summaries and sends them as bytes.
#include "regrove/metric/summary.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "regrove/core/check.hpp"

namespace regrove::metric {
namespace {

auto key(const ScoredRows& rows) { return std::tie(rows.column, rows.score, rows.positive, rows.weight); }

std::vector<ScoredRows> join(const std::vector<ScoredRows>& a, const std::vector<ScoredRows>& b) {
    std::vector<ScoredRows> joined;
    joined.reserve(a.size() + b.size());
    auto left = a.begin();
    auto right = b.begin();
    while (left != a.end() && right != b.end()) {
        if (key(*left) == key(*right)) {
            joined.push_back(*left++);
            joined.back().count += (right++)->count;
        } else {
            joined.push_back(key(*left) < key(*right) ? *left++ : *right++);
        }
    }
    joined.insert(joined.end(), left, a.end());
    joined.insert(joined.end(), right, b.end());
    return joined;
}

template <class T>
void append_bytes(std::string& bytes, const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::uint64_t count = values.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <class T>
std::vector<T> take_bytes(std::string_view& bytes) {
    std::uint64_t count = 0;
    REGROVE_CHECK(bytes.size() >= sizeof count);
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes.remove_prefix(sizeof count);
    REGROVE_CHECK(count <= bytes.size() / sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
    bytes.remove_prefix(count * sizeof(T));
    return values;
}

}  // namespace

Summary merge(const Summary& a, const Summary& b) {
    Summary merged;
    REGROVE_CHECK(a.words.empty() || b.words.empty() || a.words.size() == b.words.size());
    merged.words = a.words.empty() ? b.words : a.words;
    if (!a.words.empty() && !b.words.empty()) {
        for (std::size_t i = 0; i < merged.words.size(); ++i) merged.words[i] += b.words[i];
    }
    merged.ranking = join(a.ranking, b.ranking);
    return merged;
}

std::string pack(const Summary& summary) {
    std::string bytes;
    append_bytes(bytes, summary.words);
    append_bytes(bytes, summary.ranking);
    return bytes;
}

Summary unpack_summary(std::string_view bytes) {
    Summary summary;
    summary.words = take_bytes<std::int64_t>(bytes);
    summary.ranking = take_bytes<ScoredRows>(bytes);
    REGROVE_CHECK(bytes.empty());
    return summary;
}

}  // namespace regrove::metric
