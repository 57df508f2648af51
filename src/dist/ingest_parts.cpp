// Cuts at byte counts first, moves each cut to a line, then to the first record that begins there.
#include "regrove/dist/ingest_parts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/ingest/line_blocks.hpp"
#include "regrove/ingest/quote_summary.hpp"

namespace regrove::dist {
namespace {

using ingest::Encoding;
using ingest::FileBody;
using ingest::QuoteSummary;
using ingest::TextLayout;

constexpr std::size_t k_scan_bytes = std::size_t{4} << 20U;

/// What the ranks tell each other about a part.
struct PartNote {
    std::uint64_t file = 0;
    std::uint64_t rank = 0;
    std::uint64_t begin = 0;  ///< at a line start
    QuoteSummary quotes;
};

/// Stored bytes of a file that hold records.
std::uint64_t weight_of(const FileBody& file) {
    if (file.encoding != Encoding::plain) return std::max<std::uint64_t>(file.file_bytes, 1);
    return file.file_bytes - std::min(file.file_bytes, file.begin);
}

/// This rank's share of the files laid end to end; begins are byte counts, not yet line starts.
std::vector<PartNote> share_of_bytes(const TextLayout& layout, std::uint64_t rank, std::uint64_t ranks) {
    std::uint64_t total = 0;
    for (const FileBody& file : layout.files) total += weight_of(file);
    const std::uint64_t low = total / ranks * rank + std::min(rank, total % ranks);
    const std::uint64_t high = low + total / ranks + (rank < total % ranks ? 1 : 0);
    std::vector<PartNote> parts;
    std::uint64_t start = 0;
    for (std::uint64_t i = 0; i < layout.files.size(); ++i) {
        const FileBody& file = layout.files[i];
        const std::uint64_t end = start + weight_of(file);
        const std::uint64_t from = std::max(low, start);
        const bool whole = file.encoding != Encoding::plain;
        const bool own = whole ? start >= low && start < high : from < std::min(high, end);
        if (own) parts.push_back({i, rank, whole ? file.begin : file.begin + (from - start), {}});
        start = end;
    }
    return parts;
}

/// The first line start at or after `offset`.
std::uint64_t next_line_start(const FileBody& file, std::uint64_t offset) {
    const std::uint64_t before = offset - 1;
    const auto source = ingest::open_byte_range(file.path, before, file.file_bytes);
    std::uint64_t position = before;
    bool after_cr = false;
    std::array<char, 4096> buffer;
    for (std::size_t got = 0; (got = source->read(buffer.data(), buffer.size())) > 0;) {
        for (std::size_t i = 0; i < got; ++i, ++position) {
            const char c = buffer[i];
            if (after_cr) return c == '\n' ? position + 1 : position;
            if (c == '\n') return position + 1;
            after_cr = c == '\r';
        }
    }
    return position;
}

bool is_split(const std::vector<PartNote>& all, std::size_t i) {
    return (i > 0 && all[i - 1].file == all[i].file) || (i + 1 < all.size() && all[i + 1].file == all[i].file);
}

std::uint64_t end_of(const std::vector<PartNote>& all, std::size_t i, const TextLayout& layout) {
    return i + 1 < all.size() && all[i + 1].file == all[i].file ? all[i + 1].begin
                                                                : layout.files[all[i].file].file_bytes;
}

QuoteSummary scan_quotes(const TextLayout& layout, const PartNote& part, std::uint64_t end) {
    ingest::LineBlocks blocks(ingest::open_byte_range(layout.files[part.file].path, part.begin, end), k_scan_bytes);
    QuoteSummary summary;
    for (;;) {
        const std::string_view lines = blocks.fill();
        if (lines.empty()) return summary;  // a line that is too long is reported when rows are read
        summary = merge(summary, summarise_quotes(lines, layout.dialect));
        blocks.take(lines.size());
    }
}

/// Fills in the quotes of this rank's parts of files that several ranks share.
void scan_split_parts(comm::Communicator& comm, const TextLayout& layout, std::vector<PartNote>& all) {
    std::vector<PartNote> own;
    comm::agree_on(comm, [&] {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].rank != static_cast<std::uint64_t>(comm.rank())) continue;
            if (is_split(all, i)) all[i].quotes = scan_quotes(layout, all[i], end_of(all, i, layout));
            own.push_back(all[i]);
        }
    });
    all = comm.gather_all(std::span<const PartNote>(own));
}

/// Decides for every part where its first record begins; a part without one becomes empty.
std::vector<FilePart> settle(const std::vector<PartNote>& all, const TextLayout& layout) {
    std::vector<FilePart> parts(all.size());
    std::uint64_t line = 0;
    std::size_t inside = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const PartNote& note = all[i];
        if (i == 0 || all[i - 1].file != note.file) {
            line = layout.files[note.file].first_line;
            inside = 0;
        }
        parts[i] = {note.file, note.begin, 0, line};
        if (!is_split(all, i)) continue;
        const std::uint64_t offset = note.quotes.first_record[inside];
        const bool none = offset == ingest::k_no_record;
        parts[i].begin = none ? ingest::k_no_record : note.begin + offset;
        parts[i].first_line = line + note.quotes.lines_before[inside];
        line += note.quotes.lines;
        inside = note.quotes.ends_inside[inside] ? 1 : 0;
    }
    for (std::size_t i = parts.size(); i-- > 0;) {
        const bool last = i + 1 == parts.size() || parts[i + 1].file != parts[i].file;
        parts[i].end = last ? layout.files[parts[i].file].file_bytes : parts[i + 1].begin;
        if (parts[i].begin == ingest::k_no_record) parts[i].begin = parts[i].end;
    }
    return parts;
}

/// All ranks' parts in file order, each of which begins a line.
std::vector<PartNote> parts_at_lines(comm::Communicator& comm, const TextLayout& layout) {
    const auto rank = static_cast<std::uint64_t>(comm.rank());
    const auto own = comm::agree_on(comm, [&] {
        auto parts = share_of_bytes(layout, rank, static_cast<std::uint64_t>(comm.size()));
        for (PartNote& part : parts) {
            const FileBody& file = layout.files[part.file];
            if (file.encoding == Encoding::plain && part.begin > file.begin)
                part.begin = next_line_start(file, part.begin);
        }
        return parts;
    });
    return comm.gather_all(std::span<const PartNote>(own));
}

std::vector<FilePart> own_parts(const comm::Communicator& comm, const TextLayout& layout,
                                const std::vector<PartNote>& all, const std::vector<FilePart>& settled) {
    std::vector<FilePart> parts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool compressed = layout.files[settled[i].file].encoding != Encoding::plain;
        const bool own = all[i].rank == static_cast<std::uint64_t>(comm.rank());
        if (own && (compressed || settled[i].begin < settled[i].end)) parts.push_back(settled[i]);
    }
    return parts;
}

/// Reads from `source` what lies behind its first bytes.
class SkippingSource : public ingest::ByteSource {
  public:
    SkippingSource(std::unique_ptr<ByteSource> source, std::uint64_t skipped)
        : source_(std::move(source)), left_(skipped) {}
    std::size_t read(char* buffer, std::size_t size) override {
        while (left_ > 0) {
            const std::size_t got =
                source_->read(buffer, static_cast<std::size_t>(std::min<std::uint64_t>(size, left_)));
            if (got == 0) return 0;
            left_ -= got;
        }
        return source_->read(buffer, size);
    }

  private:
    std::unique_ptr<ByteSource> source_;
    std::uint64_t left_;
};

}  // namespace

std::vector<FilePart> deal_parts(comm::Communicator& comm, const TextLayout& layout) {
    auto all = parts_at_lines(comm, layout);
    scan_split_parts(comm, layout, all);
    return own_parts(comm, layout, all, settle(all, layout));
}

std::vector<FilePart> deal_lines(comm::Communicator& comm, const TextLayout& layout) {
    const auto all = parts_at_lines(comm, layout);
    std::vector<FilePart> settled;
    for (std::size_t i = 0; i < all.size(); ++i)
        settled.push_back({all[i].file, all[i].begin, end_of(all, i, layout), 1});
    return own_parts(comm, layout, all, settled);
}

std::unique_ptr<ingest::ByteSource> open_part(const TextLayout& layout, const FilePart& part) {
    const FileBody& file = layout.files[part.file];
    if (file.encoding == Encoding::plain) return ingest::open_byte_range(file.path, part.begin, part.end);
    return std::make_unique<SkippingSource>(ingest::open_bytes(file.path), file.begin);
}

std::uint64_t stored_bytes(const TextLayout& layout, const FilePart& part) {
    const FileBody& file = layout.files[part.file];
    return file.encoding == Encoding::plain ? part.end - part.begin : file.file_bytes;
}

}  // namespace regrove::dist
