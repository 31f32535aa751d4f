// Division of a machine among concurrent processes.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/cli/common/child_process.hpp"
#include "tests/catch.hpp"

namespace camber::machine_share_test {

namespace {

using Names = std::vector<std::string>;
using Cores = std::vector<int>;

// Output of a shell that prints `words` in a process with that share.
std::string printed_in(const MachineShare& share, const std::string& words) {
    const int out = memfd_create("printed", MFD_CLOEXEC);
    REQUIRE(out >= 0);
    ChildProcess child({"sh", "-c", words}, {out, -1}, "", "/bin/sh", share);
    CHECK(wait_for(child) == 0);
    char text[4096] = {};
    lseek(out, 0, SEEK_SET);
    const ssize_t count = read(out, text, sizeof text);
    close(out);
    return {text, static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

}  // namespace

TEST_CASE("shares of a machine have as many cores each, and none twice", "[cli][campaign]") {
    const auto shares = divide_machine(3, {0, 1, 2, 5, 6, 7, 8, 9}, {"0", "1", "2"});
    REQUIRE(shares.size() == 3);
    CHECK(shares[0].cores == Cores{0, 1});
    CHECK(shares[1].cores == Cores{2, 5});
    CHECK(shares[2].cores == Cores{6, 7});
    CHECK(shares[2].gpu == "2");
    for (const MachineShare& share : divide_machine(4, {0, 1}, {})) {
        CHECK(share.cores.empty());  // all cores
        CHECK(share.gpu.empty());
    }
}

TEST_CASE("GPUs are called as they are here", "[cli][campaign]") {
    CHECK(gpu_names(2, nullptr) == Names{"0", "1"});
    CHECK(gpu_names(2, "3,GPU-8932f937,1") == Names{"3", "GPU-8932f937"});
}

TEST_CASE("a process sees its share alone", "[cli][campaign]") {
    setenv("CUDA_VISIBLE_DEVICES", "4,5", 1);
    CHECK(printed_in({}, "echo $CUDA_VISIBLE_DEVICES") == "4,5\n");
    CHECK(printed_in({"5", {}}, "echo $CUDA_VISIBLE_DEVICES") == "5\n");
    unsetenv("CUDA_VISIBLE_DEVICES");
    CHECK(printed_in({"1", {}}, "echo $CUDA_VISIBLE_DEVICES") == "1\n");
    CHECK(printed_in({"", {usable_cores().back()}}, "nproc") == "1\n");
}

}  // namespace camber::machine_share_test
