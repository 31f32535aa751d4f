// Rules of the comparison of compiled code, on inspections that are created in memory.
#include "analysis/compare/code_comparison.hpp"

#include <string>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"

namespace code_comparison_test {

namespace {

using namespace camber;
using namespace camber::comparison;
using results::CodeInspection;
using results::CompiledKernel;

CompiledKernel kernel(const std::string& name, const std::string& hash = "1") {
    CompiledKernel kernel;
    kernel.name = name;
    kernel.symbol = name;
    kernel.architecture = "sm_90";
    kernel.registers = 32;
    kernel.stack_bytes = 0;
    kernel.shared_bytes = 1024;
    kernel.local_loads = 0;
    kernel.local_stores = 0;
    kernel.instructions = 100;
    kernel.occupancy = {{256, 1.0}};
    kernel.hash = hash;
    return kernel;
}

CodeInspection file_of(std::vector<CompiledKernel> kernels) {
    CodeInspection inspection;
    inspection.file = "lib.so";
    inspection.kernels = std::move(kernels);
    return inspection;
}

CodeComparison compared(std::vector<CompiledKernel> base, std::vector<CompiledKernel> changed,
                        std::vector<std::string> allowed = {}, bool fail_on_undecided = false) {
    return compare_code(file_of(std::move(base)), file_of(std::move(changed)), Allowed(allowed),
                        fail_on_undecided);
}

}  // namespace

TEST_CASE("equal hashes and resources need no measurement", "[compare][code]") {
    const CodeComparison same = compared({kernel("a"), kernel("b")}, {kernel("b"), kernel("a")});
    CHECK(same.exit_code() == ExitCode::success);
    CHECK(same.counts.unchanged == 2);
    CHECK(same.summary() == "2 kernels compared: all unchanged: no measurement needed.");
}

TEST_CASE("other machine code alone is no regression, unless that is wanted", "[compare][code]") {
    const CodeComparison changed = compared({kernel("a", "1")}, {kernel("a", "2")});
    CHECK(changed.exit_code() == ExitCode::success);
    CHECK(changed.kernels.front().undecided());
    CHECK_THAT(changed.summary(), contains("1 with other machine code") &&
                                      contains("no regression; measure the changed one."));
    CHECK(compared({kernel("a", "1")}, {kernel("a", "2")}, {}, true).exit_code() ==
          ExitCode::regression);
    CHECK(compared({kernel("a", "1")}, {kernel("a", "2")}, {"code"}, true).exit_code() ==
          ExitCode::success);
}

TEST_CASE("more registers, spills, memory and less occupancy are worse", "[compare][code]") {
    struct Change {
        const char* family;
        const char* quantity;
        void (*make)(CompiledKernel&);
    };
    const Change changes[] = {
        {"registers", "registers", [](CompiledKernel& k) { k.registers = 33; }},
        {"memory", "local loads", [](CompiledKernel& k) { k.local_loads = 1; }},
        {"memory", "local stores", [](CompiledKernel& k) { k.local_stores = 1; }},
        {"memory", "stack bytes", [](CompiledKernel& k) { k.stack_bytes = 8; }},
        {"memory", "shared bytes", [](CompiledKernel& k) { k.shared_bytes = 2048; }},
        {"occupancy", "occupancy at 256 threads",
         [](CompiledKernel& k) {
             k.occupancy = {{256, 0.75}};
         }},
    };
    for (const Change& change : changes) {
        INFO(change.quantity);
        CompiledKernel now = kernel("a", "2");
        change.make(now);
        const CodeComparison worse = compared({kernel("a")}, {now});
        CHECK(worse.exit_code() == ExitCode::regression);
        REQUIRE(worse.kernels.front().changes.size() == 1);
        CHECK(worse.kernels.front().changes.front().quantity == change.quantity);
        CHECK(worse.kernels.front().changes.front().family == change.family);
        CHECK(compared({kernel("a")}, {now}, {change.family}).exit_code() == ExitCode::success);
        CHECK(compared({kernel("a")}, {now}, {"all"}).exit_code() == ExitCode::success);
        const CodeComparison better = compared({now}, {kernel("a")});
        CHECK(better.exit_code() == ExitCode::success);
        CHECK(better.counts.better == 1);
    }
    CompiledKernel longer = kernel("a", "2");
    longer.instructions = 120;
    CHECK(compared({kernel("a")}, {longer}).exit_code() == ExitCode::success);
    // Equal code with more shared memory, from a larger array.
    CompiledKernel larger = kernel("a");
    larger.shared_bytes = 4096;
    const CodeComparison grown = compared({kernel("a")}, {larger});
    CHECK(grown.exit_code() == ExitCode::regression);
    CHECK_FALSE(grown.kernels.front().undecided());
}

TEST_CASE("missing kernels are a regression, added ones are not", "[compare][code]") {
    const CodeComparison missing = compared({kernel("a"), kernel("b", "2")}, {kernel("a")});
    CHECK(missing.exit_code() == ExitCode::regression);
    CHECK_THAT(missing.summary(), contains("1 missing: REGRESSION"));
    CHECK(compared({kernel("a"), kernel("b", "2")}, {kernel("a")}, {"missing"}).exit_code() ==
          ExitCode::success);
    CHECK(compared({kernel("a")}, {kernel("a"), kernel("b", "2")}).exit_code() ==
          ExitCode::success);
    CHECK_THROWS_AS(compared({kernel("a", "1")}, {kernel("b", "2")}), Error);
}

TEST_CASE("kernels match by code and without the numbers of lambdas", "[compare][code]") {
    const CodeComparison renamed =
        compared({kernel("a"), kernel("old", "7")}, {kernel("a"), kernel("new", "7")});
    CHECK(renamed.counts.renamed == 1);
    CHECK(renamed.exit_code() == ExitCode::success);
    const CodeComparison lambdas =
        compared({kernel("gen<{lambda(int)#1}>", "7")}, {kernel("gen<{lambda(int)#2}>", "8")});
    CHECK(lambdas.counts.compared == 1);
    CHECK(lambdas.kernels.front().base_name == "gen<{lambda(int)#1}>");
    // Kernels of one name in several source files: equal code first.
    const CodeComparison several =
        compared({kernel("a", "1"), kernel("a", "2")}, {kernel("a", "2"), kernel("a", "3")});
    CHECK(several.counts.compared == 2);
    CHECK(several.counts.unchanged == 1);
    // Another architecture is another kernel.
    CompiledKernel other = kernel("a");
    other.architecture = "sm_100";
    CHECK_THROWS_AS(compared({kernel("a")}, {other}), Error);
}

}  // namespace code_comparison_test
