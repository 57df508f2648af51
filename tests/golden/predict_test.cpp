// predict through the binary: every rule of routing by hand, every kind and form of output, 1 to 4 ranks, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/comm/communicator.hpp"
#include "regrove/store/table_file.hpp"

#include "e2e/cli_process.hpp"
#include "golden/prediction_models.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class Predict : public CliTest {
  protected:
    Predict() {
        write("model.json", formats::write_model(colors_model()));
        write("rows.csv", colors_csv());
    }

    /// The bytes that predict writes for these words on `ranks` ranks.
    std::string predicted(const std::string& words, int ranks = 1) {
        const Outcome outcome =
            regrove_on(ranks, "predict --model model.json --data rows.csv --overwrite --output out.csv " + words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read("out.csv");
    }

    void expect_refused(const std::string& words, int code, const std::string& message) {
        for (const int ranks : {1, 3}) {
            const Outcome outcome = regrove_on(ranks, "predict " + words);
            EXPECT_EQ(outcome.code, code) << words << " on " << ranks << " ranks: " << outcome.err;
            EXPECT_THAT(outcome.err, HasSubstr(message));
            EXPECT_EQ(count_of(outcome.err, "regrove: error:"), 1U) << outcome.err;
            EXPECT_FALSE(exists("new.csv"));
        }
    }
};

TEST_F(Predict, EveryRuleOfRouting) { EXPECT_EQ(predicted("--kind leaf --flags"), colors_leaves()); }

TEST_F(Predict, ClassIsTheDefault) { EXPECT_EQ(predicted(""), "class\nno\nno\nno\nno\nyes\nno\nno\nno\nno\nyes\n"); }

TEST_F(Predict, Probabilities) {
    EXPECT_EQ(predicted("--kind probability"),
              "probability_no,probability_yes\n0.75,0.25\n0.5,0.5\n0.5,0.5\n0.5,0.5\n0,1\n0.8,0.2\n0.8,0.2\n"
              "0.75,0.25\n0.75,0.25\n0,1\n");
}

TEST_F(Predict, RawWeights) {
    EXPECT_THAT(predicted("--kind raw"), testing::StartsWith("raw_no,raw_yes\n3,1\n1,1\n1,1\n1,1\n0,2\n2,0.5\n"));
}

TEST_F(Predict, BytesDoNotDependOnRanks) {
    for (const std::string kind : {"class --flags", "probability", "leaf"}) {
        const std::string one = predicted("--kind " + kind);
        for (const int ranks : {2, 3, 4}) EXPECT_EQ(predicted("--kind " + kind, ranks), one) << kind << ' ' << ranks;
    }
}

TEST_F(Predict, StandardOutputHoldsThePredictionsOnly) {
    const Outcome outcome =
        regrove_on(2, "predict --model model.json --data rows.csv --kind leaf --flags --output -");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, colors_leaves());
}

TEST_F(Predict, TabSeparated) {
    const Outcome outcome = regrove("predict --model model.json --data rows.csv --kind leaf --output out.tsv");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("out.tsv").substr(0, 14), "leaf\tnode\n0\t2\n");
}

/// An HDF5 table like rows.csv's first two rows, with ids.
void write_table(const std::string& path) {
    using data::ColumnRole;
    using data::ColumnType;
    data::TableShard shard;
    shard.schema.columns = {{"name", ColumnType::text, ColumnRole::id, {}},
                            {"weight", ColumnType::float64, ColumnRole::feature, {}},
                            {"color", ColumnType::category, ColumnRole::feature, {"red", "blue"}},
                            {"size", ColumnType::float32, ColumnRole::feature, {}}};
    shard.values = {std::vector<std::string>{"anna", "bo, \"b\""}, std::vector<double>{3, 3},
                    std::vector<std::int32_t>{1, 0}, std::vector<float>{0, 0.1F}};
    shard.rows = shard.global_rows = 2;
    const auto comm = comm::make_self_communicator();
    store::TableWriter writer(*comm, path, shard.schema, 2, store::Compression::fast);
    writer.write(shard);
    writer.finish();
}

TEST_F(Predict, IdsAreCarriedOver) {
    write_table((folder_ / "rows.h5").string());
    const Outcome outcome = regrove("predict --model model.json --data rows.h5 --kind class --output out.csv");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("out.csv"), "name,class\nanna,no\n\"bo, \"\"b\"\"\",yes\n");
}

TEST_F(Predict, Hdf5OnAnyNumberOfRanks) {
    std::string one;
    for (const int ranks : {1, 2, 4}) {
        const Outcome outcome = regrove_on(
            ranks, "predict --model model.json --data rows.csv --kind class --flags --overwrite --output out.h5");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        if (ranks == 1) one = read("out.h5");
        EXPECT_EQ(read("out.h5"), one) << ranks;
    }
    const auto comm = comm::make_self_communicator();
    const auto shard = store::read_table(*comm, (folder_ / "out.h5").string());
    ASSERT_EQ(shard.schema.columns.size(), 4U);
    EXPECT_EQ(shard.schema.columns[0].categories, (std::vector<std::string>{"no", "yes"}));
    EXPECT_EQ(std::get<std::vector<std::int32_t>>(shard.values[0]),
              (std::vector<std::int32_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
}

TEST_F(Predict, MissingColumnsAreNamedOnce) {
    write("wrong.csv", "Color,weight,shape\nred,1,2\n");
    expect_refused("--model model.json --data wrong.csv --output new.csv", 65,
                   "2 of its 3 features are missing: 'color' (nearest column: 'Color'), 'size'");
}

TEST_F(Predict, TextWhereNumbersAreNeeded) {
    write("text.csv", "color,weight,size\nred,heavy,2\nblue,light,1\n");
    expect_refused("--model model.json --data text.csv --output new.csv", 65, "column 'weight' holds categories");
}

TEST_F(Predict, KindsModelsAndOutputsThatCannotBe) {
    expect_refused("--model model.json --data rows.csv --output new.csv --kind value", 78, "allowed: class");
    expect_refused("--model rows.csv --data rows.csv --output new.csv", 65, "known formats: regrove-json");
    expect_refused("--model none.json --data rows.csv --output new.csv", 74, "none.json");
    expect_refused("--data rows.csv --output new.csv", 64, "--model is missing");
    write("old.csv", "keep\n");
    expect_refused("--model model.json --data rows.csv --output old.csv", 73, "old.csv");
    EXPECT_EQ(read("old.csv"), "keep\n");
}

TEST_F(Predict, ATruncatedModelNamesItsPlace) {
    const std::string text = formats::write_model(colors_model());
    write("cut.json", text.substr(0, text.size() / 2));
    expect_refused("--model cut.json --data rows.csv --output new.csv", 65, "cut.json:");
}

}  // namespace
}  // namespace regrove::test
