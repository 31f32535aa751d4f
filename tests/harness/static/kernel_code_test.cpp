// Tools of the toolkit as processes, and the real disassembler on this very program.
#include "harness/static/kernel_code.hpp"

#include <chrono>
#include <string>

#include "harness/static/tool.hpp"
#include "tests/catch.hpp"
#include "tests/harness/results/results_file_fixture.hpp"

namespace kernel_code_test {

using namespace camber;
using namespace std::chrono_literals;

TEST_CASE("a tool's output arrives whole, and its arguments as they are", "[static]") {
    CHECK(output_of("/bin/echo", {"a b", "$(id);`id`", "'\"*"}, 10s) == "a b $(id);`id` '\"*\n");
    CHECK(output_of("/bin/true", {}, 10s) == "");
    const auto much = output_of("/usr/bin/head", {"-c", "3000000", "/dev/zero"}, 30s);
    REQUIRE(much);
    CHECK(much->size() == 3000000);
}

TEST_CASE("a tool that is absent, fails or hangs has no output", "[static]") {
    CHECK_FALSE(output_of("/nonexistent/tool", {}, 10s));
    CHECK_FALSE(output_of("/bin/false", {}, 10s));
    CHECK_FALSE(output_of("/bin/sh", {"-c", "echo text; exit 3"}, 10s));
    CHECK_FALSE(output_of("/bin/sh", {"-c", "echo text; kill -9 $$"}, 10s));
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(output_of("/bin/sleep", {"60"}, 100ms));
    CHECK(std::chrono::steady_clock::now() - start < 20s);
}

TEST_CASE("without machine code there is no mix", "[static]") {
    KernelCode unprepared("/bin/true");
    CHECK(unprepared.mix("kernel") == nullptr);
    KernelCode no_kernels("/bin/true");
    no_kernels.prepare(9, 0, 1);
    no_kernels.load({"kernel", "another"});
    CHECK(no_kernels.mix("kernel") == nullptr);
    KernelCode absent("/nonexistent/program");
    absent.prepare(9, 0, 1000);
    CHECK(absent.mix("kernel") == nullptr);
}

TEST_CASE("the disassembler finds this program's kernels", "[static]") {
    if (!find_cuobjdump()) skip_test("there is no cuobjdump on PATH or in the CUDA Toolkit");
    KernelCode& code = KernelCode::of_this_program();
    code.prepare(9, 0, 1);
    const std::string symbol = "_ZN6camber9on_device11halo_kernelINS_4LifeIjEEEEvNS0_5ViewsIT_EE";
    code.load({"no_such_kernel_either", symbol});
    const InstructionMix* halo = code.mix(symbol);
    if (halo == nullptr) skip_test("this program has no machine code for sm_90");
    CHECK((*halo)[InstructionClass::global_loads] == 9);
    CHECK((*halo)[InstructionClass::global_stores] == 1);
    CHECK((*halo)[InstructionClass::shared_loads] == 0);
    CHECK((*halo)[InstructionClass::fp32] == 0);
    CHECK(halo->total() > 30);
    CHECK(halo->total() < 100);
    CHECK(code.mix("no_such_kernel") == nullptr);
}

}  // namespace kernel_code_test
