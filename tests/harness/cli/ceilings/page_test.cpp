// The page of a device's limits, whole and of a measurement that was stopped.
#include "harness/cli/ceilings/page.hpp"

#include "harness/record/document.hpp"
#include "tests/catch.hpp"

namespace ceilings_page_test {

using namespace camber;

namespace {

DeviceInfo device_of(const results::Gpu& gpu) {
    DeviceInfo device;
    device.name = gpu.name;
    device.major = 9;
    device.sm_count = gpu.sm_count;
    device.l2_bytes = gpu.l2_bytes.value_or(0);
    return device;
}

}  // namespace

TEST_CASE("the page of limits leaves out what was not measured", "[ceilings]") {
    const results::Document document =
        results::read_document(CAMBER_SOURCE_DIR "/results/h200/ceilings.json");
    const DeviceInfo device = device_of(*document.run()->gpu);
    const Ceilings& all = document.ceilings.value();
    const std::string whole = ceilings_page(all, device);
    CHECK(ceiling_rows(all).measured == 26);
    CHECK(ceiling_rows(all).all == 49);
    const results::Document older =
        results::read_document(CAMBER_SOURCE_DIR "/tests/harness/cli/ceilings/older_ceilings.json");
    CHECK(ceiling_rows(older.ceilings.value()).measured == 14);  // without latencies
    CHECK_THAT(
        whole,
        contains("Measured ceilings of device 0, NVIDIA H200 (compute capability 9.0, 132 SMs)"));
    CHECK_THAT(whole, contains("\n  DRAM copy ") && contains("\n  LOP3 ") &&
                          contains("\n  graph node ") && contains("c copy"));

    Ceilings some;  // of a measurement that was stopped in its third curve
    some.copy = all.copy;
    some.read = all.read;
    const std::string page = ceilings_page(some, device);
    CHECK(ceiling_rows(some).measured == 2);
    CHECK(ceiling_rows(some).all == 49);
    CHECK_THAT(page, contains("\n  DRAM copy ") && contains("\n  DRAM read ") &&
                         contains("c copy") && contains("r read"));
    for (const char* absent : {"DRAM write", "L2  ", "launch", "graph node", "triad"})
        CHECK_THAT(page, !contains(absent));

    CHECK(ceiling_rows({}).measured == 0);
    CHECK_THAT(ceilings_page({}, device), !contains("Bandwidth over"));
}

}  // namespace ceilings_page_test
