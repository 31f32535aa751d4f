// Page of a device's ceilings, after a complete and after a stopped measurement.
#include <algorithm>
#include <limits>

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
    CHECK(ceiling_rows(all).measured == 42);
    CHECK(ceiling_rows(all).all == 42);
    const results::Document older =
        results::read_document(CAMBER_SOURCE_DIR "/tests/harness/cli/ceilings/older_ceilings.json");
    CHECK(ceiling_rows(older.ceilings.value()).measured == 13);  // without latencies
    CHECK_THAT(
        whole,
        contains("Measured ceilings of device 0, NVIDIA H200 (compute capability 9.0, 132 SMs)"));
    CHECK_THAT(whole, contains("\n  DRAM copy ") && contains("\n  LOP3 ") &&
                          contains("\n  graph node ") && contains("c copy"));

    Ceilings some;  // measurement stopped in the third curve
    some.copy = all.copy;
    some.read = all.read;
    const std::string page = ceilings_page(some, device);
    CHECK(ceiling_rows(some).measured == 2);
    CHECK(ceiling_rows(some).all == 42);
    CHECK_THAT(page, contains("\n  DRAM copy ") && contains("\n  DRAM read ") &&
                         contains("c copy") && contains("r read"));
    for (const char* absent : {"DRAM write", "L2  ", "launch", "graph node", "triad"})
        CHECK_THAT(page, !contains(absent));

    CHECK(ceiling_rows({}).measured == 0);
    CHECK_THAT(ceilings_page({}, device), !contains("Bandwidth over"));
}

}  // namespace ceilings_page_test

namespace text_plot_test {

using namespace camber;

namespace {

constexpr std::size_t kib = 1024;
const PlotFrame small{"TB/s", 13, 5};

}  // namespace

TEST_CASE("a plot shows curves over a logarithmic size axis", "[text-plot]") {
    const std::vector<PlotCurve> curves = {
        {'r', "read", {{kib, 8}, {2 * kib, 8}, {4 * kib, 4}, {16 * kib, 4}}},
        {'w', "write", {{kib, 6}, {2 * kib, 8}, {16 * kib, 0}}}};
    CHECK(text_plot(curves, small) ==
          "TB/s\n"
          "      8 |r  *\n"
          "      6 |w\n"
          "      4 |      r     r\n"
          "      2 |\n"
          "      0 |            w\n"
          "        ++--+--+-----+\n"
          "         1K 2K 4K    16K\n"
          "         r read   w write   * several\n");
}

TEST_CASE("labels that would touch are left out", "[text-plot]") {
    const std::vector<PlotCurve> curves = {
        {'o', "copy", {{512 * kib, 1}, {1024 * kib, 1}, {2048 * kib, 1}}}};
    CHECK(text_plot(curves, {"GB/s", 7, 2}) ==
          "GB/s\n"
          "      1 |o  o  o\n"
          "      0 |\n"
          "        ++-----+\n"
          "         512K  2M\n"
          "         o copy\n");
}

TEST_CASE("a plot of nothing is empty", "[text-plot]") {
    CHECK(text_plot({}, small).empty());
    CHECK(text_plot({{'r', "read", {}}}, small).empty());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(text_plot({{'r', "read", {{0, 1}, {1, nan}, {2, infinity}, {4, -1}}}}, small).empty());
}

TEST_CASE("one point and equal values have a place", "[text-plot]") {
    CHECK(text_plot({{'r', "read", {{kib, 3}}}}, small) ==
          "TB/s\n"
          "    3.2 |r\n"
          "    2.4 |\n"
          "    1.6 |\n"
          "    0.8 |\n"
          "      0 |\n"
          "        ++------------\n"
          "         1K\n"
          "         r read\n");
    CHECK(text_plot({{'z', "zero", {{kib, 0}, {2 * kib, 0}}}}, {"", 5, 2}) ==
          "\n"
          "      1 |\n"
          "      0 |z   z\n"
          "        ++---+\n"
          "         1K  2K\n"
          "         z zero\n");
}

TEST_CASE("the highest value never leaves the frame", "[text-plot]") {
    for (const double value : {1e-9, 0.99, 1.0, 1.01, 4.2, 8.1, 9.99, 10.0, 123456.0}) {
        const std::string text = text_plot({{'x', "it", {{1, value}, {2, value / 2}}}}, small);
        CHECK_THAT(text, contains("|x"));
        CHECK(std::count(text.begin(), text.end(), '\n') == small.rows + 4);
    }
}

TEST_CASE("sizes are short", "[text-plot]") {
    CHECK(short_size(0) == "0B");
    CHECK(short_size(1023) == "1023B");
    CHECK(short_size(1536) == "1.5K");
    CHECK(short_size(256 * kib) == "256K");
    CHECK(short_size(4 * kib * kib * kib) == "4G");
}

}  // namespace text_plot_test
