// main() of the tests that run on ranks: every rank runs all tests; only the root reports, and any rank's failure counts.
#include <gtest/gtest.h>

#include "regrove/comm/mpi_session.hpp"

#include "support/mpi_world.hpp"

namespace {
regrove::comm::Communicator* g_world = nullptr;

/// Makes the ranks' reports readable: each failure is printed with its rank.
class RankPrinter : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed()) {
            std::fprintf(stderr, "[rank %d] %s:%d\n%s\n", g_world->rank(),
                         result.file_name() != nullptr ? result.file_name() : "?", result.line_number(),
                         result.summary());
        }
    }
};
}  // namespace

regrove::comm::Communicator& regrove::test::world() { return *g_world; }

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    regrove::comm::MpiSession session;
    g_world = &session.world();
    if (!g_world->is_root()) {
        auto& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new RankPrinter);
    }
    const int failed = RUN_ALL_TESTS();
    return g_world->sum(static_cast<std::uint64_t>(failed != 0)) == 0 ? 0 : 1;
}
