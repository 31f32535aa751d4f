// NVTX ranges as a profiler receives them. Without the NVTX headers, there is no stand-in profiler
// and the test is skipped.

#include "tests/built_paths.hpp"
#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace camber::markers_test {
namespace {

using namespace cli_test;

TEST_CASE("a profiler sees cases, their phases and every step of a generation", "[cli]") {
    if (std::string(built::fake_profiler).empty()) skip_test("camber is built without CUDA");
    const TestFolder folder;
    const fs::path log = folder.path() / "ranges";
    const EnvironmentVariable injected("NVTX_INJECTION64_PATH", built::fake_profiler);
    const EnvironmentVariable file("FAKE_PROFILER_LOG", log.string());
    const Outcome outcome =
        run_program({"run", "--workload", "sciara_fv2", "--backend", "simt", "--size", "20x20",
                     "--generations", "2", "--variant", "global/four_kernels/16x16"},
                    folder.path());
    REQUIRE(outcome.exit_code == 0);
    CHECK_THAT(text_of(log), contains("sciara_fv2.global.four_kernels.16x16 0\n"
                                      " verify 0\n"
                                      "  emission 0\n"
                                      "  outflows 0\n"
                                      "  exchange 0\n"
                                      "  cooling 0\n"
                                      "  emission 1\n"
                                      "  outflows 1\n"));
}

}  // namespace
}  // namespace camber::markers_test
