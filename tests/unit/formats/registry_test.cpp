// What every row of the format table keeps: round trip, truncated and corrupted input; and the messages of the table.
#include "regrove/formats/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

#include "unit/formats/sample_models.hpp"

namespace regrove::formats {
namespace {

using testing::HasSubstr;

/// Rows that can write; those that only read have tests of their own.
std::vector<std::string> written_formats() {
    std::vector<std::string> names;
    for (const Format& format : all_formats())
        if (format.write) names.push_back(format.name);
    return names;
}

class EveryFormat : public testing::TestWithParam<std::string> {
  protected:
    const Format& format() const { return *std::ranges::find(all_formats(), GetParam(), &Format::name); }

    std::vector<NamedModel> models() const { return sample_models_of(GetParam()); }
};

TEST_P(EveryFormat, RoundTripIsExact) {
    for (const auto& [name, ensemble] : models()) {
        SCOPED_TRACE(name);
        const std::string bytes = format().write(ensemble);
        const model::Ensemble back = format().read(bytes, "model");
        EXPECT_EQ(back, ensemble);
        EXPECT_EQ(format().write(back), bytes);
    }
}

/// What a format writes of any model is a model that decides alike, or an error that names the format.
TEST_P(EveryFormat, WritesOrRefuses) {
    for (const auto& [name, ensemble] : sample_models()) {
        SCOPED_TRACE(name);
        try {
            const model::Ensemble back = format().read(format().write(ensemble), "model");
            EXPECT_EQ(back.trees.size(), ensemble.trees.size());
            EXPECT_EQ(back.outputs(), ensemble.outputs());
        } catch (const FormatError& error) {
            EXPECT_THAT(error.what(), HasSubstr("the format '" + GetParam() + "' cannot hold"));
        }
    }
}

TEST_P(EveryFormat, IsFoundByContent) {
    for (const auto& [name, ensemble] : models()) {
        const std::string bytes = format().write(ensemble);
        for (const Format& other : all_formats())
            EXPECT_EQ(other.sniff(std::string_view(bytes).substr(0, 4096)), other.name == format().name) << name;
        EXPECT_EQ(parse_model(bytes, "model"), ensemble);
    }
}

TEST_P(EveryFormat, TruncatedInputIsRefused) {
    const std::string bytes = format().write(models().front().ensemble);
    const std::size_t last = bytes.find_last_not_of(" \n");
    const std::size_t step = std::max<std::size_t>(1, last / 500);
    for (std::size_t size = 0; size <= last; size += step)
        EXPECT_THROW(format().read(std::string_view(bytes).substr(0, size), "model"), FormatError) << size;
    EXPECT_THROW(format().read(std::string_view(bytes).substr(0, last), "model"), FormatError);
}

TEST_P(EveryFormat, CorruptedInputNeverCrashes) {
    const std::string bytes = format().write(models().front().ensemble);
    std::size_t refused = 0;
    std::size_t tried = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const char wrong : {'9', '\xff', '\0', '"'}) {
            std::string damaged = bytes;
            damaged[at] = wrong;
            ++tried;
            try {
                model::validate(format().read(damaged, "model"));
            } catch (const FormatError& error) {
                ++refused;
                ASSERT_THAT(error.what(), HasSubstr("model")) << at;
            }
        }
    }
    EXPECT_GT(refused, tried / 2);
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryFormat, testing::ValuesIn(written_formats()), [](const auto& row) {
    std::string name = row.param;
    std::ranges::replace(name, '-', '_');
    return name;
});

template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(FormatTable, UnknownContentListsTheKnownFormats) {
    const std::string message = message_of([] { parse_model("a,b\n1,2\n", "table.csv"); });
    EXPECT_THAT(message, HasSubstr("table.csv: "));
    for (const Format& format : all_formats()) EXPECT_THAT(message, HasSubstr(format.name));
    EXPECT_THAT(message_of([] { parse_model("", "m.json"); }), HasSubstr("the file is empty"));
    EXPECT_THROW(parse_model("{}", "m.json"), FormatError);
}

TEST(FormatTable, UnknownNameListsTheKnownFormats) {
    EXPECT_THROW(write_model(sample_stump(), "regrove"), ConfigError);
    EXPECT_THAT(message_of([] { write_model(sample_stump(), "regrove"); }), HasSubstr("regrove-json"));
}

TEST(FormatTable, ReadsFiles) {
    const std::string path = testing::TempDir() + "/registry_test_model.json";
    std::ofstream(path, std::ios::binary) << write_model(sample_classifier());
    EXPECT_EQ(read_model(path), sample_classifier());
    std::remove(path.c_str());
    EXPECT_THAT(message_of([&] { read_model(path); }), HasSubstr(path));
    EXPECT_THROW(read_model(path), IoError);
    EXPECT_THROW(read_model(testing::TempDir()), IoError);
}

}  // namespace
}  // namespace regrove::formats
