// Which texts stand for a missing cell.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::ingest {

/// The markers unless --missing names others: NA N/A NaN nan null NULL None ? ; the empty cell is always missing.
std::vector<std::string> default_missing_markers();

class MissingMarkers {
  public:
    explicit MissingMarkers(std::vector<std::string> markers);
    bool is_missing(std::string_view text) const {
        return text.empty() || (first_bytes_[static_cast<unsigned char>(text.front())] && is_marker(text));
    }
    /// Whether a marker reads as a number (-999), so that numbers must be compared too.
    bool has_number() const { return has_number_; }

  private:
    bool is_marker(std::string_view text) const;
    std::vector<std::string> markers_;
    std::array<bool, 256> first_bytes_{};
    bool has_number_ = false;
};

}  // namespace regrove::ingest
