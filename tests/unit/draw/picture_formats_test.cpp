// The table of picture formats: each row writes what its name says, and names decide the format.
#include "regrove/draw/picture_formats.hpp"

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/draw/png.hpp"
#include "regrove/draw/tree_svg.hpp"

#include "unit/draw/sample_trees.hpp"
#include "unit/draw/xml_check.hpp"

namespace regrove::draw {
namespace {

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
    return value;
}

std::uint32_t svg_side(const std::string& svg, const char* side) {
    return static_cast<std::uint32_t>(std::stoul(testing::read_xml(svg).at(0).attributes.at(side)));
}

TEST(PictureFormats, AreChosenByNameOrExtension) {
    EXPECT_EQ(picture_format("", "out/tree.svg").name, "svg");
    EXPECT_EQ(picture_format("", "tree.png").name, "png");
    EXPECT_EQ(picture_format("", "tree.dot").name, "dot");
    EXPECT_EQ(picture_format("", "-").name, "svg");
    EXPECT_EQ(picture_format("dot", "tree.txt").name, "dot");
    EXPECT_EQ(picture_format("png", "-").name, "png");
}

TEST(PictureFormats, RefuseWhatIsUnknownAndListWhatIsKnown) {
    for (const auto& [name, path] : {std::pair{"", "tree.pdf"}, {"", "svg"}, {"gif", "tree.svg"}}) {
        try {
            picture_format(name, path);
            ADD_FAILURE() << name << " " << path;
        } catch (const ConfigError& error) {
            EXPECT_NE(std::string(error.what()).find(".svg, .png, .dot"), std::string::npos) << error.what();
        }
    }
}

TEST(PictureFormats, AllWriteTheSameBytesTwice) {
    const TreeDrawingOptions options;
    const TreePicture picture = describe_tree(testing::five_patients(), options);
    for (const PictureFormat& format : all_picture_formats()) {
        const std::string first = format.write(picture, options);
        EXPECT_FALSE(first.empty());
        EXPECT_EQ(first, format.write(picture, options)) << format.name;
    }
}

TEST(Png, HasTheSizeOfTheSvgTimesTheScale) {
    const std::string svg = tree_svg(describe_tree(testing::five_patients(), {}), OrientationChoice::down);
    for (const double scale : {0.5, 1.0, 2.0, 3.0}) {
        const std::string png = png_from_svg(svg, scale);
        EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
        EXPECT_EQ(png.substr(12, 4), "IHDR");
        EXPECT_EQ(big_endian(png, 16), std::ceil(svg_side(svg, "width") * scale));
        EXPECT_EQ(big_endian(png, 20), std::ceil(svg_side(svg, "height") * scale));
        EXPECT_EQ(png.substr(png.size() - 8, 4), "IEND");
    }
}

TEST(Png, RefusesAPictureThatIsTooLarge) {
    const std::string svg = tree_svg(describe_tree(testing::five_patients(), {}), OrientationChoice::down);
    EXPECT_THROW(png_from_svg(svg, 100), LimitError);
}

}  // namespace
}  // namespace regrove::draw
