// Comparison of replays, and settings of candidates.
#include "harness/capture/replay/comparison.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/capture/replay/candidate_build.hpp"
#include "harness/cli/capture/capture_document.hpp"
#include "tests/catch.hpp"

namespace camber::capture_test::comparison_test {

namespace {

using namespace capture;

template <class T>
ByteVector bytes_of(const std::vector<T>& values) {
    ByteVector bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

Difference compared(const ByteVector& expected, const ByteVector& actual,
                    const std::vector<ByteTolerance>& tolerances = {}) {
    Difference difference;
    compare(
        7, expected, actual, tolerances,
        [](std::uint64_t a, std::uint64_t b) { return a == 0x1000 && b == 0x5000; }, difference);
    return difference;
}

double half(std::uint16_t bits) {
    const ByteVector bytes = bytes_of(std::vector{bits});
    return value_of(Element::float16, bytes.data());
}

}  // namespace

TEST_CASE("values of elements", "[capture]") {
    CHECK(half(0x3c00) == 1);
    CHECK(half(0xc000) == -2);
    CHECK(half(0x0001) == std::ldexp(1.0, -24));
    CHECK(half(0x7bff) == 65504);
    CHECK(std::isinf(half(0x7c00)));
    CHECK(std::isnan(half(0x7e00)));
    CHECK(value_of(Element::bfloat16, bytes_of(std::vector<std::uint16_t>{0x3fc0}).data()) == 1.5);
    CHECK(value_of(Element::float64, bytes_of(std::vector{0.1}).data()) == 0.1);
}

TEST_CASE("differences are counted and located", "[capture]") {
    std::vector<float> values(5000, 1.5F);
    const ByteVector expected = bytes_of(values);
    CHECK(compared(expected, expected).bytes == 0);
    values[3001] = 2.5F;
    values[4000] = -1.5F;
    const Difference difference = compared(expected, bytes_of(values));
    CHECK(difference.bytes == 3);  // 1.5 is 3fc00000, 2.5 is 40200000, -1.5 is bfc00000
    CHECK(difference.first_buffer == 7);
    CHECK(difference.first_offset == 4 * 3001 + 2);
    CHECK(difference.expected == "0000c03f0000c03f");
    CHECK(difference.actual == "0000c03f00002040");
}

TEST_CASE("moved addresses count as equal", "[capture]") {
    const auto expected = bytes_of(std::vector<std::uint64_t>{1, 0x1000, 2});
    CHECK(compared(expected, bytes_of(std::vector<std::uint64_t>{1, 0x5000, 2})).bytes == 0);
    CHECK(compared(expected, bytes_of(std::vector<std::uint64_t>{1, 0x6000, 2})).bytes == 1);
}

TEST_CASE("tolerances apply to their bytes and types", "[capture]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ByteVector expected = bytes_of(std::vector<float>{1, 100, nan, 0, 1});
    const ByteVector actual = bytes_of(std::vector<float>{1.0005F, 100.05F, nan, 0.0005F, 1.0005F});
    const ByteTolerance relative{7, 0, 16, Element::float32, 0, 1e-3};
    const Difference by_ratio = compared(expected, actual, {relative});
    CHECK(by_ratio.tolerated > 0);
    CHECK(by_ratio.first_offset == 12);  // a ratio means nothing beside zero
    ByteTolerance absolute = relative;
    absolute.absolute = 1e-3;
    CHECK(compared(expected, actual, {absolute}).first_offset == 16);  // beyond the range
    absolute.end = 20;
    CHECK(compared(expected, actual, {absolute}).bytes == 0);
    absolute.buffer = 6;
    CHECK(compared(expected, actual, {absolute}).bytes > 0);
    CHECK_FALSE(
        within(relative, bytes_of(std::vector{nan}).data(), bytes_of(std::vector{1.F}).data()));
}

TEST_CASE("variation between replays becomes a tolerance", "[capture]") {
    const ByteVector first = bytes_of(std::vector<double>{1, 10, 100});
    CHECK_FALSE(variation(7, Element::float64, first, first));
    const auto found =
        variation(7, Element::float64, first, bytes_of(std::vector<double>{1, 10.5, 100.1}));
    REQUIRE(found);
    CHECK(found->begin == 8);
    CHECK(found->end == 24);
    CHECK(found->absolute == Approx(0.5));
    CHECK(found->relative == Approx(0.5 / 10.5));
    const double infinity = std::numeric_limits<double>::infinity();
    const auto wild =
        variation(7, Element::float64, first, bytes_of(std::vector<double>{infinity, 10, 100}));
    REQUIRE(wild);
    CHECK(wild->element == Element::bytes);
}

TEST_CASE("settings of a candidate", "[capture]") {
    const Settings settings =
        settings_in("// one\n// camber: capture block=32x4 kernel=step\nint a;\n");
    CHECK(settings == Settings{{"block", "32x4"}, {"kernel", "step"}});
    CHECK(parse_dimensions("32x4", "block") == Dimensions{32, 4, 1});
    CHECK(parse_dimensions("7", "block") == Dimensions{7, 1, 1});
    for (const char* wrong : {"", "0", "x4", "4x", "1x2x3x4", "-1", "32x0"})
        CHECK_THROWS_AS(parse_dimensions(wrong, "block"), Error);
    CapturedLaunch launch;
    launch.grid = {10, 3, 1};
    launch.block = {100, 2, 1};
    CHECK(covering_grid(launch, {64, 4, 1}) == Dimensions{16, 2, 1});
    CHECK(plain_function("_ZN2at6native5scaleIfEEvPKT_") == "scale");
    CHECK(plain_function("step") == "step");
}

TEST_CASE("a kernel in an unnamed namespace keeps its name in results", "[capture]") {
    Capture capture;
    capture.file.kernel = "_ZN2at6native12_GLOBAL__N_13addIfEEvPT_";
    CapturedLaunch& launch = capture.file.launches.emplace_back();
    launch.grid = {4, 1, 1};
    launch.block = {32, 1, 1};
    results::Document document;
    CaptureCase original;
    original.name = "original";
    original.warm_ns = {2000, 2000};
    add_cases(document, capture, 0, {}, 0, {original});
    REQUIRE_FALSE(document.cases.empty());
    CHECK(document.cases.front().identity.workload == "add");
}

}  // namespace camber::capture_test::comparison_test
