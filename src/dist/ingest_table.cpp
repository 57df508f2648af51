// Rank 0 looks at the beginning of the files, all follow; then the reader of the format takes over.
#include "regrove/dist/ingest_table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/dist/ingest_balance.hpp"
#include "regrove/dist/ingest_idx.hpp"
#include "regrove/dist/ingest_libsvm.hpp"
#include "regrove/dist/ingest_text.hpp"
#include "regrove/ingest/byte_source.hpp"
#include "regrove/ingest/idx_header.hpp"

namespace regrove::dist {
namespace {

constexpr std::size_t k_head_bytes = std::size_t{1} << 20U;

/// The decompressed beginning of a file.
std::string head_of(const std::string& path) {
    const auto source = ingest::open_bytes(path);
    std::string head(k_head_bytes, '\0');
    std::size_t size = 0;
    for (std::size_t got = 0; size < head.size(); size += got) {
        got = source->read(head.data() + size, head.size() - size);
        if (got == 0) break;
    }
    head.resize(size);
    return head;
}

InputFormat format_of(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        const std::string head = head_of(path);
        if (head.empty()) continue;
        if (ingest::looks_like_idx(head)) return InputFormat::idx;
        return ingest::looks_like_libsvm(head) ? InputFormat::libsvm : InputFormat::delimited;
    }
    return InputFormat::delimited;
}

InputFormat agreed_format(comm::Communicator& comm, const IngestRequest& request) {
    if (request.format != InputFormat::automatic) return request.format;
    std::vector<InputFormat> format = comm::agree_on(
        comm, [&] { return comm.is_root() ? std::vector{format_of(request.inputs)} : std::vector<InputFormat>(); });
    comm.broadcast(format);
    return format.front();
}

/// Names of the options that are not at their defaults, but for the `allowed` ones.
template <class Options>
std::vector<std::string> options_given(Options options, const std::vector<std::string>& allowed) {
    Options defaults;
    OptionTable given;
    OptionTable usual;
    list_options(options, given);
    list_options(defaults, usual);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < given.entries().size(); ++i) {
        const OptionEntry& entry = given.entries()[i];
        if (entry.text() == usual.entries()[i].text() || std::ranges::count(allowed, entry.name) > 0) continue;
        names.push_back(entry.name);
    }
    return names;
}

void refuse_options(const std::vector<std::string>& names, const std::string& format) {
    if (names.empty()) return;
    throw ConfigError(names.front() + ": of no use for " + format +
                      " input; leave it out, or use --format if the input is something else");
}

/// LibSVM and idx name and place label and group themselves.
void refuse_other_column(const std::string& option, const std::string& given, const std::string& name,
                         const std::string& format) {
    if (given.empty() || given == name) return;
    throw ConfigError(option + ": " + format + " input has no column '" + given + "' for it but '" + name + "'");
}

std::unique_ptr<ScannedTable> scan_as(comm::Communicator& comm, const IngestRequest& request, InputFormat format) {
    const ingest::TextOptions& text = request.options;
    if (format == InputFormat::delimited) {
        refuse_options(options_given(request.libsvm, {}), "delimited");
        return scan_text(comm, request);
    }
    const std::string name = format == InputFormat::idx ? "idx" : "LibSVM";
    refuse_other_column("target", text.target, "label", name);
    if (format == InputFormat::idx) {
        refuse_options(options_given(text, {"target"}), name);
        refuse_options(options_given(request.libsvm, {"max_columns"}), name);
        return scan_idx(comm, request);
    }
    refuse_other_column("group", text.group, "qid", name);
    refuse_options(options_given(text, {"target", "group", "missing", "bad_rows"}), name);
    return scan_libsvm_files(comm, request);
}

}  // namespace

data::SparseTable ScannedTable::read_sparse() { throw InternalError("this table has no sparse rows"); }

std::unique_ptr<ScannedTable> scan_table(comm::Communicator& comm, const IngestRequest& request) {
    if (request.inputs.empty()) throw UsageError("no input file is given");
    return scan_as(comm, request, agreed_format(comm, request));
}

data::TableShard read_rows(comm::Communicator& comm, ScannedTable& table) {
    std::optional<data::TableShard> shard;
    table.hand_out([&](data::TableShard chunk) {
        if (!shard)
            shard = std::move(chunk);
        else
            append(*shard, chunk);
    });
    return balanced(comm, std::move(*shard));
}

}  // namespace regrove::dist
