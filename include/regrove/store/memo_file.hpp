// What searches have proven of sub-problems, as one file: bounds by key, sorted by key.
//
// Layout: HDF5 with checksummed metadata. Attributes `format` = regrove-memo, `version`, `results_version`, `rules` (the
// writer's own), `records`, and `xxh3_128` of all records as they lie in memory. Datasets in chunks with Fletcher32:
//   /keys    u64 [records, 2]   low and high half of each key; keys rise by (high, low)
//   /bounds  u32 [records, 2]   lower and upper bound
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace regrove::store {

struct MemoRecord {
    std::uint64_t key_low = 0;
    std::uint64_t key_high = 0;
    std::uint32_t lower = 0;
    std::uint32_t upper = 0;
    friend bool operator==(const MemoRecord&, const MemoRecord&) = default;
};
static_assert(sizeof(MemoRecord) == 24);

inline bool before(const MemoRecord& a, const MemoRecord& b) {
    return a.key_high != b.key_high ? a.key_high < b.key_high : a.key_low < b.key_low;
}

/// Reads in pieces, so that memory does not grow with the file. Throws IoError, and FormatError when the file is
/// damaged, no memo, or of another version; both name it.
class MemoFileReader {
  public:
    /// `rules`: what the caller's keys and bounds mean; a file of others is refused.
    MemoFileReader(std::string path, std::int64_t rules);
    ~MemoFileReader();
    MemoFileReader(const MemoFileReader&) = delete;
    MemoFileReader& operator=(const MemoFileReader&) = delete;

    std::uint64_t records() const;
    /// The next records, some at least; none at the end. Only when that was reached are all of them known to be good.
    std::vector<MemoRecord> next();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Appears under its name, and replaces what was there, with commit(); destroyed without it, nothing is left. Throws
/// IoError; after that only destruction is left.
class MemoFileWriter {
  public:
    MemoFileWriter(std::string path, std::int64_t rules);
    ~MemoFileWriter();
    MemoFileWriter(const MemoFileWriter&) = delete;
    MemoFileWriter& operator=(const MemoFileWriter&) = delete;

    /// Keys must rise from call to call too.
    void append(const MemoRecord& record);
    std::uint64_t records() const;
    void commit();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove::store
