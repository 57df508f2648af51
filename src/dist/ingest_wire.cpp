// The text layout as bytes, so that only rank 0 reads the beginnings of the files.
#include "regrove/dist/ingest_wire.hpp"

namespace regrove::dist {

std::string pack(const ingest::TextLayout& layout) {
    WireWriter out;
    const ingest::Dialect& dialect = layout.dialect;
    for (const char c : {dialect.delimiter, dialect.quote, dialect.escape, dialect.decimal_mark})
        out.number(static_cast<unsigned char>(c));
    out.text(dialect.comment);
    out.number(layout.has_header ? 1 : 0);
    out.number(layout.names.size());
    for (const std::string& name : layout.names) out.text(name);
    for (const ingest::FileBody& file : layout.files) {
        out.text(file.path);
        out.number(static_cast<std::uint64_t>(file.encoding));
        for (const std::uint64_t value : {file.file_bytes, file.begin, file.first_line}) out.number(value);
    }
    return out.take();
}

ingest::TextLayout unpack_layout(std::string_view bytes) {
    WireReader in(bytes);
    ingest::TextLayout layout;
    ingest::Dialect& dialect = layout.dialect;
    for (char* c : {&dialect.delimiter, &dialect.quote, &dialect.escape, &dialect.decimal_mark})
        *c = static_cast<char>(in.number());
    dialect.comment = in.text();
    layout.has_header = in.number() != 0;
    layout.names.resize(in.number());
    for (std::string& name : layout.names) name = in.text();
    while (!in.at_end()) {
        ingest::FileBody file;
        file.path = in.text();
        file.encoding = static_cast<ingest::Encoding>(in.number());
        for (std::uint64_t* value : {&file.file_bytes, &file.begin, &file.first_line}) *value = in.number();
        layout.files.push_back(std::move(file));
    }
    return layout;
}

}  // namespace regrove::dist
