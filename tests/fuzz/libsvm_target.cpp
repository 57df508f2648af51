// LibSVM: scanning agrees with parsing, and pieces agree with the whole.
#include "regrove/ingest/libsvm.hpp"

#include "fuzz/fuzz_target.hpp"

namespace regrove::fuzz {
namespace {

using namespace ingest;

/// A place in the middle where one may cut: behind a line feed.
std::size_t middle_cut(std::string_view text) {
    const std::size_t cut = text.find('\n', text.size() / 2);
    return cut == std::string_view::npos ? text.size() : cut + 1;
}

void run(std::string_view text) {
    LibsvmOptions options;
    options.max_columns = 2000;
    looks_like_libsvm(text);
    const LibsvmSummary whole = scan_libsvm(text, options);
    const std::size_t cut = middle_cut(text);
    const auto left = scan_libsvm(text.substr(0, cut), options);
    const auto right = scan_libsvm(text.substr(cut), options);
    // A byte order mark counts only in front of a file, so a cut before one may differ.
    const bool comparable = !text.substr(cut).starts_with("\xef\xbb\xbf");
    require(!comparable || pack(merge(left, right)) == pack(whole), "pieces scan to the whole");
    require(pack(unpack_libsvm_summary(pack(whole))) == pack(whole), "packing keeps a summary");

    const LibsvmDecision decision = decide_libsvm(whole, options);
    auto table = data::make_shard(decision.schema);
    std::vector<LibsvmBadRow> bad;
    parse_libsvm(text, 0, decision, table, &bad);
    require(table.rows == whole.rows, "as many rows are parsed as were scanned");
    require(bad.size() == whole.bad_rows, "as many bad rows are handed back as were scanned");
    require(bad.empty() || bad.front().line == whole.first_bad_row->line, "the first bad row is the first");
    for (const auto& column : table.values)
        require(data::row_count(column) == table.rows, "columns are equally long");
    check_libsvm_file("input", whole, false);
    require(bad.empty(), "a file with bad rows is refused");
}

}  // namespace

Target libsvm_target() {
    return {"libsvm",
            run,
            {":", " ", "\n", "\r\n", "\r", "#", "qid:", "1e999", "nan", "0:", "1:1", "4294967296", ",", "-"},
            6000};
}

}  // namespace regrove::fuzz
