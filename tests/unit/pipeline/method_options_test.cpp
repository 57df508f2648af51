// One table for all methods: shared names set each method's field, and check_options refuses what the method cannot take.
#include "regrove/pipeline/method_options.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {
namespace {

using testing::HasSubstr;

struct Given {
    LearnerOptions options;
    OptionTable table;
    Given() { list_options(options, table); }
    Given(const Given&) = delete;
    Given& operator=(const Given&) = delete;

    void set(std::string_view name, std::string_view value) {
        const OptionEntry* entry = table.find(name);
        ASSERT_NE(entry, nullptr) << name;
        entry->parse(value);
    }
    std::string text(std::string_view name) const { return table.find(name)->text(); }
    std::string refusal() const {
        try {
            check_options(options);
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "accepted";
    }
};

TEST(MethodOptions, EveryNameAndAliasIsThereOnce) {
    const Given given;
    std::set<std::string> names;
    for (const OptionEntry& entry : given.table.entries()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        for (const std::string& alias : entry.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
    }
    for (const char* name : {"max_depth", "trees", "reg_lambda", "eta", "objective", "valid_share", "oob"})
        EXPECT_TRUE(names.contains(name)) << name;
}

TEST(MethodOptions, ASharedNameSetsTheFieldOfEachMethod) {
    Given given;
    EXPECT_EQ(given.text("max_depth"), "0");
    given.options.method = Method::boosting;
    EXPECT_EQ(given.text("max_depth"), "6") << "the default of boosting";
    given.set("max_depth", "4");
    EXPECT_EQ(given.options.cart.max_depth, 4U);
    EXPECT_EQ(given.options.boosting.max_depth, 4U);
    given.set("subsample", "0.5");
    EXPECT_EQ(given.options.forest.subsample, 0.5);
    EXPECT_EQ(given.options.boosting.subsample, 0.5);
    EXPECT_EQ(given.refusal(), "accepted");
}

TEST(MethodOptions, ValuesOfAnotherMethodAreRefusedWhenTheMethodIsKnown) {
    Given given;
    given.set("grow", "symmetric");
    EXPECT_THAT(given.refusal(), HasSubstr("symmetric"));
    EXPECT_TRUE(given.table.find("grow")->affects_result) << "of boosting, though not of trees";
    given.set("method", "boosting");
    EXPECT_EQ(given.refusal(), "accepted");
    given.set("grow", "best-first");
    EXPECT_THAT(given.refusal(), HasSubstr("best-first"));
    given.set("grow", "lossguide");
    EXPECT_EQ(given.refusal(), "accepted") << "a later value replaces the refused one";
    EXPECT_THROW(given.set("grow", "sideways"), ConfigError) << "no method takes it";
}

TEST(MethodOptions, OptionsOfAnotherMethodAreRefused) {
    Given given;
    given.set("trees", "9");
    EXPECT_THAT(given.refusal(),
                HasSubstr("--trees is for --method forest or --method boosting, and the method is cart"));
    given.set("method", "forest");
    EXPECT_EQ(given.refusal(), "accepted");
    given.set("reg_lambda", "3");
    EXPECT_THAT(given.refusal(), HasSubstr("--reg-lambda is for --method boosting, and the method is forest"));
    given.set("method", "boosting");
    EXPECT_EQ(given.refusal(), "accepted");
    given.set("min_gain", "0.1");
    EXPECT_THAT(given.refusal(), HasSubstr("--min-gain is for --method cart or --method forest"));
}

TEST(MethodOptions, ObjectivesAreCheckedByMethod) {
    Given given;
    given.set("objective", "gini");
    EXPECT_EQ(given.refusal(), "accepted");
    given.set("method", "boosting");
    EXPECT_THAT(given.refusal(), HasSubstr("no objective 'gini'"));
    given.set("objective", "binary:logistic");
    EXPECT_EQ(given.refusal(), "accepted");
    given.set("method", "cart");
    EXPECT_THAT(given.refusal(), HasSubstr("binary:logistic"));
}

TEST(MethodOptions, OptionsThatContradictEachOther) {
    Given given;
    given.set("method", "boosting");
    given.set("gamma", "1");
    given.set("min_split_loss", "1");
    EXPECT_THAT(given.refusal(), HasSubstr("--gamma and --min-split-loss"));
}

TEST(MethodOptions, AMethodsOwnTableHoldsWhatItReads) {
    LearnerOptions options;
    options.method = Method::boosting;
    OptionTable boosting;
    list_method_options(options, boosting);
    EXPECT_NE(boosting.find("learning_rate"), nullptr);
    EXPECT_EQ(boosting.find("oob"), nullptr);
    EXPECT_EQ(boosting.find("max_depth")->text(), "6");
    options.method = Method::forest;
    OptionTable forest;
    list_method_options(options, forest);
    EXPECT_NE(forest.find("oob"), nullptr);
    EXPECT_EQ(forest.find("learning_rate"), nullptr);
}

}  // namespace
}  // namespace regrove::pipeline
