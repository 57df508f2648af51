// Writes SVG elements as text: escaped, indented, numbers of at most two decimals, the same bytes everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regrove/draw/color.hpp"
#include "regrove/draw/text_metrics.hpp"

namespace regrove::draw {

/// Text for XML content and for attributes in double quotes.
std::string escape_xml(std::string_view text);

/// `value` rounded to hundredths, without trailing zeros.
std::string coordinate_text(double value);

class SvgWriter {
  public:
    /// Attributes of one element, chained: attribute("x", 3.5).attribute("fill", color).
    class Attributes {
      public:
        Attributes& set(std::string_view name, std::string_view value);
        Attributes& set(std::string_view name, double value);
        Attributes& set(std::string_view name, Color color);
        const std::string& text() const { return text_; }

      private:
        std::string text_;
    };

    void open(std::string_view element, const Attributes& attributes = {});
    void close();
    void empty(std::string_view element, const Attributes& attributes);
    /// An element that holds text only.
    void text(std::string_view element, const Attributes& attributes, std::string_view content);
    /// Elements written by another writer.
    void insert(std::string_view elements) { out_.append(elements); }
    /// All elements must be closed.
    std::string finish() &&;

  private:
    void indent();
    std::string out_;
    std::vector<std::string> open_;
};

}  // namespace regrove::draw
