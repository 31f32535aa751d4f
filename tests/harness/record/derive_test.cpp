// Which of a launch's kernels stands for it.
#include "harness/record/derive.hpp"

#include "tests/catch.hpp"

namespace camber::results::derive_test {
namespace {

KernelTime time_of(const std::string& name, double median_ns, std::size_t launches) {
    KernelTime time;
    time.name = name;
    time.statistics.median = median_ns;
    time.statistics.n = launches;
    return time;
}

TEST_CASE("the kernel that most of the time goes to stands for a launch", "[record]") {
    CaseRecord record;
    CHECK(leading_kernel(record) == nullptr);
    for (const char* const kernel : {"torus_halo", "stencil", "count"})
        record.kernels.emplace_back().name = kernel;
    SECTION("by the sum over its launches") {
        record.kernel_times = {.kernels = {time_of("torus_halo", 9, 5), time_of("stencil", 7, 10),
                                           time_of("count", 8, 8)}};
        CHECK(leading_kernel(record)->name == "stencil");
    }
    SECTION("the first where no kernel was timed") {
        CHECK(leading_kernel(record)->name == "torus_halo");
    }
}

}  // namespace
}  // namespace camber::results::derive_test
