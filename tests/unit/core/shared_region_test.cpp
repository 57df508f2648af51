// Memory seen by several mappings and processes is one memory, and what is not there cannot be joined.
#include "regrove/core/shared_region.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "regrove/core/error.hpp"

namespace regrove {
namespace {

constexpr std::uint64_t k_bytes = std::uint64_t{1} << 36U;  // a reservation, far more than is touched

TEST(SharedRegion, IsOneMemoryInAllMappings) {
    SharedRegion first = SharedRegion::create(k_bytes);
    const SharedRegion second = SharedRegion::join(first.handle(), k_bytes);
    EXPECT_NE(first.data(), second.data());
    EXPECT_EQ(second.data()[k_bytes - 1], std::byte{0});
    first.data()[k_bytes - 1] = std::byte{7};
    EXPECT_EQ(second.data()[k_bytes - 1], std::byte{7});
}

TEST(SharedRegion, IsSeenByAnotherProcess) {
    SharedRegion region = SharedRegion::create(4096);
    const SharedRegion::Handle handle = region.handle();
    const pid_t child = fork();
    if (child == 0) {
        // The child joins by the parent's handle, not by what it inherited.
        try {
            SharedRegion::join(handle, 4096).data()[0] = std::byte{42};
            _exit(0);
        } catch (...) {
            _exit(1);
        }
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(region.data()[0], std::byte{42});
}

TEST(SharedRegion, RefusesWhatIsNotThere) {
    const SharedRegion region = SharedRegion::create(4096);
    SharedRegion::Handle handle = region.handle();
    EXPECT_THROW(SharedRegion::join(handle, 8192), IoError);  // another size: another file
    handle.file = 100000;
    EXPECT_THROW(SharedRegion::join(handle, 4096), IoError);
}

TEST(SharedRegion, KnowsTheHost) { EXPECT_EQ(host_identity(), host_identity()); }

}  // namespace
}  // namespace regrove
