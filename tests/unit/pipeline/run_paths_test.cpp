// ${run}, ${data} and ${config} in pipeline files.
#include "regrove/pipeline/run_paths.hpp"

#include <gmock/gmock.h>

#include "unit/pipeline/test_job.hpp"

namespace regrove::pipeline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(RunPathsTest, ReplacesEachPlaceAndBack) {
    const TemporaryFolder folder;
    folder.write("a.csv", "");
    const RunPaths paths("r/", folder.path(), folder.path() + "/");
    EXPECT_EQ(paths.expand("${run}/x.h5,${config}/a.csv", "o"), "r/x.h5," + folder.path() + "/a.csv");
    EXPECT_EQ(paths.symbolic("r/x.h5"), "${run}/x.h5");
    EXPECT_EQ(paths.symbolic("rx.h5"), "rx.h5");
    EXPECT_EQ(paths.symbolic(folder.path() + "/a.csv"), "${data}/a.csv");
    EXPECT_TRUE(paths.is_in_run_folder("r/sub/x"));
    EXPECT_FALSE(paths.is_in_run_folder("r"));
}

TEST(RunPathsTest, NamesWhatIsMissing) {
    const TemporaryFolder folder;
    const RunPaths paths("r", folder.path(), "");
    EXPECT_THAT(failure_of([&] { paths.expand("${data}/a.csv", "p.toml:3:1"); }),
                AllOf(StartsWith("78"), HasSubstr("p.toml:3:1"), HasSubstr("REGROVE_DATA")));
    EXPECT_THAT(failure_of([&] { paths.expand("${config}/none.csv", "o"); }),
                AllOf(StartsWith("74"), HasSubstr("none.csv")));
    EXPECT_THAT(failure_of([&] { paths.expand("${home}/a", "o"); }), AllOf(StartsWith("78"), HasSubstr("${home}")));
    EXPECT_THAT(failure_of([&] { paths.expand("${run/a", "o"); }), AllOf(StartsWith("78"), HasSubstr("'}'")));
}

}  // namespace
}  // namespace regrove::pipeline::test
