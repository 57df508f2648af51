// Compressed bytes: the same whatever the step in which they are read, and never without end.
#include <algorithm>

#include "regrove/core/error.hpp"
#include "regrove/ingest/byte_source.hpp"

#include "fuzz/fuzz_target.hpp"
#include "fuzz/scratch_file.hpp"

namespace regrove::fuzz {
namespace {

constexpr std::size_t k_most_bytes = std::size_t{1} << 20U;

/// At most k_most_bytes, since a few bytes may stand for very many; a refusal ends it with a mark.
std::string read_in_steps(const std::string& path, std::size_t step) {
    std::string all;
    try {
        const auto source = ingest::open_bytes(path);
        std::string buffer(step, '\0');
        while (all.size() < k_most_bytes) {
            const std::size_t got = source->read(buffer.data(), step);
            require(got <= step, "no more bytes than asked for");
            if (got == 0) return all;
            all.append(buffer, 0, got);
        }
        all.resize(k_most_bytes);
    } catch (const FormatError&) {
        // What was handed out before the damage was met depends on the step; that it is met does not.
        return "refused";
    }
    return all;
}

void run(std::string_view bytes) {
    const std::string path = as_file(bytes);
    const std::string large = read_in_steps(path, k_most_bytes);
    require(read_in_steps(path, 1000) == large, "the step does not matter");
    if (ingest::detect_encoding(path) == ingest::Encoding::plain) {
        require(large == bytes.substr(0, k_most_bytes), "plain bytes pass unchanged");
    }
}

}  // namespace

Target bytes_target() {
    return {"bytes",
            run,
            {"\x1f\x8b", "\x28\xb5\x2f\xfd", std::string("\x50\x2a\x4d\x18\x01\0\0\0x", 9), std::string(9, '\0')},
            800};
}

}  // namespace regrove::fuzz
