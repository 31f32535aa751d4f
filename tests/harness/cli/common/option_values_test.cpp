// GPU of each member of a group, and the errors if there are too few.
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/common/option_values.hpp"
#include "tests/catch.hpp"

namespace place_devices_test {

namespace {

using namespace camber;

std::vector<DeviceInfo> machine(int gpus) {
    std::vector<DeviceInfo> devices(static_cast<std::size_t>(gpus));
    for (int i = 0; i < gpus; ++i) devices[static_cast<std::size_t>(i)].index = i;
    return devices;
}

template <class F>
Error error_of(const F& f) {
    try {
        f();
    } catch (const Error& error) {
        return error;
    }
    FAIL("no error");
    return Error(ExitCode::success, "");
}

}  // namespace

TEST_CASE("places have the first GPUs, or those that are named", "[group]") {
    CHECK(devices_of_places(3, "") == std::vector{0, 1, 2});
    CHECK(devices_of_places(0, "2,0,0") == std::vector{2, 0, 0});
    CHECK_THROWS_WITH(devices_of_places(3, "0,1"),
                      "--gpus 3 and the 2 devices of --devices 0,1 differ: leave out one of the "
                      "two");
}

TEST_CASE("more GPUs than there are is one sentence", "[group]") {
    CHECK_NOTHROW(check_devices({0, 1}, false, machine(2)));
    // A device may be given several times, for tests of groups.
    CHECK_NOTHROW(check_devices({0, 0, 0}, true, machine(1)));
    const Error many = error_of([] { check_devices({0, 1, 2}, false, machine(2)); });
    CHECK(many.code() == ExitCode::unavailable);
    CHECK(std::string(many.what()) ==
          "3 GPUs are asked for, and this machine has 2: give fewer, or one of them several times "
          "with --devices 0,0");
    const Error absent = error_of([] { check_devices({0, 5}, true, machine(2)); });
    CHECK(absent.code() == ExitCode::usage);
    CHECK(std::string(absent.what()) == "device 5 does not exist: this machine has devices 0 to 1");
}

TEST_CASE("rows may be shared by what each GPU has", "[group]") {
    auto known = machine(3);
    known[0].sm_count = 132;
    known[1].sm_count = 108;
    known[2].sm_count = 46;
    CHECK(multiprocessors_of({2, 0, 0}, known) == std::vector{46, 132, 132});
    CHECK_THROWS_WITH(multiprocessors_of({3}, known), contains("device 3 does not exist"));
}

TEST_CASE("a rank without a GPU is one sentence", "[group][ranks]") {
    CHECK(device_of_rank(5, 1, "", machine(2)) == 1);
    CHECK(device_of_rank(5, 1, "1,0", machine(2)) == 0);
    CHECK(device_of_rank(3, 2, "0,0,0", machine(1)) == 0);
    const Error none = error_of([] { device_of_rank(6, 2, "", machine(2)); });
    CHECK(none.code() == ExitCode::unavailable);
    CHECK(
        std::string(none.what()) ==
        "rank 6 has no GPU: it is number 3 of its machine, for which there are 2: start fewer, or "
        "give one several times with --devices 0,0");
}

}  // namespace place_devices_test
