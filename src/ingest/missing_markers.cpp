// A table of first bytes answers almost every question; the few others compare with each marker.
#include "regrove/ingest/missing_markers.hpp"

#include <algorithm>
#include <utility>

#include "regrove/ingest/number_cell.hpp"

namespace regrove::ingest {

std::vector<std::string> default_missing_markers() {
    return {"NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"};
}

MissingMarkers::MissingMarkers(std::vector<std::string> markers) : markers_(std::move(markers)) {
    for (const char blank : {' ', '\t'}) first_bytes_[static_cast<unsigned char>(blank)] = true;
    for (const std::string& marker : markers_) {
        if (marker.empty()) continue;
        first_bytes_[static_cast<unsigned char>(marker.front())] = true;
        has_number_ = has_number_ || read_number(marker, '.').kind != NumberKind::none ||
                      read_number(marker, ',').kind != NumberKind::none;
    }
}

bool MissingMarkers::is_marker(std::string_view text) const {
    // Blanks in quotes are as empty as blanks without.
    return text.find_first_not_of(" \t") == std::string_view::npos ||
           std::ranges::find(markers_, text) != markers_.end();
}

}  // namespace regrove::ingest
