// Rank order is file order, so the ranks' rows are laid end to end.
#include "regrove/dist/ingest_rejects.hpp"

#include <utility>

#include "regrove/dist/ingest_wire.hpp"

namespace regrove::dist {
namespace {

constexpr std::size_t k_listed_rows = 10;

}  // namespace

void Rejects::add(const TextPosition& position, const std::string& reason, const std::string& row) {
    if (listed_.size() < k_listed_rows) listed_.push_back(to_string(position) + ": " + reason);
    text_ += row + '\n';
    if (text_.size() > k_most_rejected_bytes)
        throw InputError(listed_.front() +
                         "; more than 64 MiB of rows are bad, this is the first: do the options "
                         "(--format, --delimiter, --quote, --schema) suit the file?");
}

void Rejects::report(comm::Communicator& comm, IngestReport& report) {
    WireWriter own;
    for (const std::string& row : listed_) own.text(row);
    for (const std::string& packed : comm.gather(own.take()))
        for (WireReader reader(packed); !reader.at_end() && report.rejected.size() < k_listed_rows;)
            report.rejected.emplace_back(reader.text());
    for (const std::string& rows : comm.gather(text_)) report.rejected_text += rows;
    listed_ = {};
    text_ = {};
}

}  // namespace regrove::dist
