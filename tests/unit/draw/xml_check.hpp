// A strict little reader of XML elements, enough to tell whether a picture is well formed and what it holds.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::draw::testing {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;
    std::size_t parent = 0;  ///< index; the root is its own
};

class XmlReader {
  public:
    explicit XmlReader(std::string_view text) : text_(text) {}

    /// All elements in document order. Throws std::runtime_error where the text is not well formed.
    std::vector<XmlElement> read() {
        do {
            if (at('<'))
                tag();
            else
                character();
        } while (!open_.empty());
        if (text_.substr(next_) != "\n") fail("text after the root element");
        return std::move(elements_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at byte " + std::to_string(next_));
    }
    bool at(char c) const { return next_ < text_.size() && text_[next_] == c; }
    char take() {
        if (next_ >= text_.size()) fail("unexpected end");
        return text_[next_++];
    }
    void expect(char c) {
        if (take() != c) fail(std::string("expected ") + c);
    }

    std::string name() {
        std::string text;
        while (next_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[next_])) != 0 || at('-')))
            text += take();
        if (text.empty()) fail("expected a name");
        return text;
    }

    std::string unescaped() {
        const char c = take();
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n') fail("a forbidden character");
        if (c != '&') return std::string(1, c);
        static const std::map<std::string, char> known{{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}};
        const std::string entity = name();
        expect(';');
        if (!known.contains(entity)) fail("unknown entity " + entity);
        return std::string(1, known.at(entity));
    }

    void character() {
        if (open_.empty()) fail("text outside of the root element");
        elements_[open_.back()].text += unescaped();
    }

    void tag() {
        expect('<');
        if (at('/')) {
            ++next_;
            if (open_.empty() || name() != elements_[open_.back()].name) fail("the wrong element is closed");
            open_.pop_back();
            expect('>');
            return;
        }
        XmlElement element{name(), {}, "", open_.empty() ? 0 : open_.back()};
        while (at(' ')) attribute(element);
        const bool empty = at('/');
        if (empty) ++next_;
        expect('>');
        if (!empty) open_.push_back(elements_.size());
        elements_.push_back(std::move(element));
    }

    void attribute(XmlElement& element) {
        expect(' ');
        const std::string key = name();
        expect('=');
        expect('"');
        std::string value;
        while (!at('"')) {
            if (at('<')) fail("a bare < in an attribute");
            value += unescaped();
        }
        expect('"');
        if (!element.attributes.emplace(key, value).second) fail("attribute twice: " + key);
    }

    std::string_view text_;
    std::size_t next_ = 0;
    std::vector<XmlElement> elements_;
    std::vector<std::size_t> open_;
};

inline std::vector<XmlElement> read_xml(std::string_view text) { return XmlReader(text).read(); }

}  // namespace regrove::draw::testing
