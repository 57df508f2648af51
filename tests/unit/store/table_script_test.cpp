// scripts/regrove_table.py and this library read each other's tables and agree on the content hash.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/table_file.hpp"

#include "support/sample_table.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

/// A python3 that has h5py and pandas: Debian's first, since others may lack them.
std::string find_python() {
    for (const std::string candidate : {"/usr/bin/python3", "python3"}) {
        if (std::system((candidate + " -c 'import h5py, pandas' 2>/dev/null").c_str()) == 0) return candidate;
    }
    return "";
}

class TableScript : public testing::Test {
  protected:
    static void SetUpTestSuite() { python_ = find_python(); }
    void SetUp() override {
        ASSERT_NE(python_, "") << "no python3 with h5py and pandas: install python3-h5py and python3-pandas";
    }
    /// Runs Python code in the test's folder with the script imported as `rt`; what it prints.
    std::string run(const std::string& code) {
        const std::string prelude =
            "import sys\nsys.dont_write_bytecode = True\nsys.path.insert(0, '" REGROVE_SOURCE_DIR
            "/scripts')\nimport h5py, numpy as np, pandas as pd, regrove_table as rt\n";
        const std::string file = folder_.write("code.py", prelude + code);
        const std::string command = "cd '" + folder_.path("") + "' && " + python_ + " " + file + " > out.txt 2>&1";
        const int status = std::system(command.c_str());
        std::ifstream in(folder_.path("out.txt"));
        std::string out{std::istreambuf_iterator<char>(in), {}};
        EXPECT_EQ(status, 0) << out;
        return out;
    }

    inline static std::string python_;
    test::ScratchFolder folder_;
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
};

/// A frame with every kind of column, as Python code.
constexpr const char* k_frame = R"(
frame = pd.DataFrame({
    "f/32": np.array([1.5, np.nan, -0.0], "float32"), "f64": [0.1, 1e300, None],
    "i32": pd.array([1, None, -7], dtype="Int32"), "i64": [2**60 + 1, -5, 2**53],
    "flag": [True, False, True], "colour": pd.Categorical(["blue", None, "grün"], categories=["grün", "unused", "blue"]),
    "word": ["x", "y", None], "id": ["r1", "", "r3"]})
roles = {"flag": "label", "id": "id", "i64": "group"}
)";

TEST_F(TableScript, FramesBecomeTables) {
    for (const std::string compress : {"False", "True"}) {
        run(std::string(k_frame) + "rt.write_table(frame, 't.h5', roles, compress=" + compress + ")\n");
        const data::TableShard read = read_table(*comm_, folder_.path("t.h5"));
        using data::ColumnRole;
        using data::ColumnType;
        const data::Schema expected{
            {{"f/32", ColumnType::float32, ColumnRole::feature, {}},
             {"f64", ColumnType::float64, ColumnRole::feature, {}},
             {"i32", ColumnType::int32, ColumnRole::feature, {}},
             {"i64", ColumnType::int64, ColumnRole::group, {}},
             {"flag", ColumnType::int32, ColumnRole::label, {}},
             {"colour", ColumnType::category, ColumnRole::feature, {"grün", "unused", "blue"}},
             {"word", ColumnType::category, ColumnRole::feature, {"x", "y"}},
             {"id", ColumnType::text, ColumnRole::id, {}}}};
        EXPECT_EQ(read.schema, expected);
        const auto& f32 = std::get<std::vector<float>>(read.values[0]);
        EXPECT_EQ(f32[0], 1.5F);
        EXPECT_TRUE(std::isnan(f32[1]));
        EXPECT_TRUE(std::signbit(f32[2]));
        EXPECT_EQ(std::get<std::vector<double>>(read.values[1])[1], 1e300);
        EXPECT_EQ(std::get<std::vector<std::int32_t>>(read.values[2]),
                  (std::vector<std::int32_t>{1, data::k_missing_int32, -7}));
        EXPECT_EQ(std::get<std::vector<std::int64_t>>(read.values[3]),
                  (std::vector<std::int64_t>{(std::int64_t{1} << 60U) + 1, -5, std::int64_t{1} << 53U}));
        EXPECT_EQ(std::get<std::vector<std::int32_t>>(read.values[4]), (std::vector<std::int32_t>{1, 0, 1}));
        EXPECT_EQ(std::get<std::vector<std::int32_t>>(read.values[5]), (std::vector<std::int32_t>{2, -1, 0}));
        EXPECT_EQ(std::get<std::vector<std::int32_t>>(read.values[6]), (std::vector<std::int32_t>{0, 1, -1}));
        EXPECT_EQ(std::get<std::vector<std::string>>(read.values[7]), (std::vector<std::string>{"r1", "", "r3"}));
        const TableFileInfo info = read_table_info(*comm_, folder_.path("t.h5"));
        EXPECT_EQ(info.content_hash, data::content_hash(read)) << "the script's hash is not the library's";
        EXPECT_EQ(info.column_hashes, data::column_hashes(read));
    }
}

TEST_F(TableScript, TablesBecomeFrames) {
    for (const auto compression : {Compression::none, Compression::small}) {
        constexpr std::uint64_t k_rows = 70000;
        const data::TableShard rows = test::sample_rows(0, k_rows, k_rows);
        TableWriter writer(*comm_, folder_.path("t.h5"), test::sample_schema(), k_rows, compression);
        writer.write(rows);
        const std::string hash = to_hex(writer.finish());
        const std::string out = run(R"(
print(rt.verify("t.h5"))
f = rt.read_table("t.h5")
print(len(f), list(f.columns), f.attrs["roles"]["sick"], f["colour"].cat.categories.tolist())
print([str(t) for t in f.dtypes], f["count"].isna().sum(), (f["name"].isna()).sum(), f["height"].isna().sum())
rt.write_table(f, "again.h5", f.attrs["roles"], compress=True)
)");
        std::uint64_t missing = 0;
        for (std::uint64_t r = 0; r < k_rows; ++r)
            missing += data::is_missing(data::ColumnType::int32, rows.values[2], r);
        EXPECT_EQ(out, hash +
                           "\n70000 ['price/kg \"x\"', 'height', 'count', 'time', 'colour', 'name', 'sick'] label "
                           "['rot', 'grün', 'gelb', 'blau']\n"
                           "['float32', 'float64', 'Int32', 'Int64', 'category', 'object', 'category'] " +
                           std::to_string(missing) + " " + std::to_string(missing) + " 10000\n");
        EXPECT_TRUE(test::same_cells(read_table(*comm_, folder_.path("again.h5")), rows));
        EXPECT_EQ(to_hex(read_table_info(*comm_, folder_.path("again.h5")).content_hash), hash);
    }
}

TEST_F(TableScript, OtherLayoutsReadTheSame) {
    run(R"(
x = np.arange(1000) / 7
def put(path, texts, **settings):
    with h5py.File(path, "w") as f:
        f.attrs.update({"format": np.bytes_(b"regrove-table"), "version": np.int8(1), "rows": 1000, "columns": 4})
        cells = [("x", "float64", "feature", x), ("n", "int32", "label", np.arange(1000).astype("int16")),
                 ("c", "category", "feature", np.arange(1000).astype("int8") % 3), ("id", "text", "id", texts)]
        for i, (name, kind, role, data) in enumerate(cells):
            d = f.create_dataset(f"columns/{i}", data=data, **(settings if kind != "text" else {}))
            d.attrs.update({"name": np.bytes_(name.encode()), "type": kind, "role": role})
        f["dictionaries/2"] = np.array([b"low", b"mid", b"high"])
fixed = np.array([b"r%d" % i for i in range(1000)])
put("a.h5", fixed)
put("b.h5", fixed.astype(object), chunks=(37,), compression="lzf")
put("c.h5", fixed, chunks=(999,), compression="gzip", shuffle=True, fletcher32=True, maxshape=(None,))
)");
    for (const char* name : {"a.h5", "b.h5", "c.h5"}) {
        if (std::string(name) == "b.h5") continue;  // lzf is a filter that only h5py has
        const data::TableShard read = read_table(*comm_, folder_.path(name));
        ASSERT_EQ(read.rows, 1000U) << name;
        EXPECT_EQ(std::get<std::vector<double>>(read.values[0])[999], 999.0 / 7) << name;
        EXPECT_EQ(std::get<std::vector<std::int32_t>>(read.values[1])[500], 500) << name;
        EXPECT_EQ(std::get<std::vector<std::int32_t>>(read.values[2])[2], 2) << name;
        EXPECT_EQ(read.schema.columns[2].categories, (std::vector<std::string>{"low", "mid", "high"})) << name;
        EXPECT_EQ(std::get<std::vector<std::string>>(read.values[3])[37], "r37") << name;
    }
    EXPECT_THROW(read_table(*comm_, folder_.path("b.h5")), FormatError) << "HDF5 cannot undo lzf";
}

TEST_F(TableScript, TheExampleOfTheDocumentationIsATable) {
    std::ifstream page(REGROVE_SOURCE_DIR "/docs/table-format.md");
    const std::string text{std::istreambuf_iterator<char>(page), {}};
    const std::string mark = "```python\n";
    const auto begin = text.find(mark) + mark.size();
    run(text.substr(begin, text.find("```", begin) - begin));
    const data::TableShard read = read_table(*comm_, folder_.path("t.h5"));
    EXPECT_EQ(read.rows, 3U);
    EXPECT_EQ(read.schema.columns[1].categories, (std::vector<std::string>{"red", "blue"}));
    EXPECT_EQ(std::get<std::vector<double>>(read.values[0])[2], 3.0);
}

TEST_F(TableScript, TheScriptNoticesDamage) {
    const std::string out = run(std::string(k_frame) + R"(
rt.write_table(frame, "t.h5", roles)
with h5py.File("t.h5", "r+") as f:
    f["columns/1"][0] = 0.2
try:
    rt.verify("t.h5")
except ValueError as error:
    print("as stored" in str(error))
)");
    EXPECT_EQ(out, "True\n");
}

}  // namespace
}  // namespace regrove::store
