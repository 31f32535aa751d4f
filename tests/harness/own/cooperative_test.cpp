// Candidate kernels whose blocks synchronize through the grid.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "harness/base/error.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/predict/prediction.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::cooperative_test {
namespace {

constexpr Size board{97, 41};  // more threads than the 2048 that are resident on the executor

const Problem problem{board, Boundary::dead, ElementType::uint32, {}};

std::string text_of_kernel() {
    std::ifstream file(kernel_file("cooperative.cu"));
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    REQUIRE(at != text.npos);
    return text.replace(at, what.size(), with);
}

State initial() {
    return find_workload("life")->initial({.size = board});
}

}  // namespace

TEST_CASE("blocks of a plain kernel wait for the whole grid", "[candidate]") {
    const Workload& life = *find_workload("life");
    const KernelText file(text_of_kernel());
    const Variant variant = file.variant();
    const State first = initial();
    simt::HostQueue queue(2);
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(first);
    execution->poison(Poison::first);
    execution->advance(3);
    queue.synchronize();
    State actual = first;
    execution->download(actual);
    const State expected = expected_state(life, first, problem.cell, {problem.boundary, {}}, 3);
    CHECK(std::ranges::equal(actual.field("cells").bytes(), expected.field("cells").bytes()));

    const CheckResult checked = check_variant(variant, problem, first, 2, 2);
    CHECK(checked.skipped.empty());
    for (const Finding& finding : checked.findings)
        FAIL_CHECK(describe(finding.kind) << " " << finding.sites << finding.sentence);
}

TEST_CASE("a cooperative kernel's traffic is counted over all its blocks' turns", "[candidate]") {
    const KernelText file(text_of_kernel());
    const Variant variant = file.variant();
    const InitialData data{find_workload("life"), {.size = board}, nullptr};
    const Prediction prediction = predict(variant, problem, data, parse_architecture("sm_90"));
    REQUIRE(prediction.kernels.size() == 1);
    CHECK(prediction.kernels.front().grid.count() == 16);  // 2048 threads
    const AccessCounts counts = prediction.counts();
    // Full warps process the cells of both phases, with three and four loads each, and one store.
    const auto warps = [](int cells) { return std::int64_t{(cells + 31) / 32}; };
    const std::int64_t sums = warps(board.columns * (board.rows + 2));
    const std::int64_t cells = warps(board.columns * board.rows);
    CHECK(counts.global_load.requests == 3 * sums + 4 * cells);
    CHECK(counts.global_store.requests == sums + cells);
    CHECK(counts.shared_load.instructions == 16 * 4);
    CHECK(counts.shared_store.instructions == 16);
}

TEST_CASE("a wait for the grid that is missing is a race between blocks", "[candidate]") {
    const KernelText file("#define WAITS 0\n" + text_of_kernel());
    const CheckResult checked = check_variant(file.variant(), problem, initial(), 1, 2);
    CHECK(std::ranges::any_of(checked.findings, [](const Finding& finding) {
        return finding.kind == FindingKind::block_race &&
               finding.sites.find("kernel.cu:29") != std::string::npos;
    }));
}

TEST_CASE("a kernel that waits for the grid says so in its line", "[candidate]") {
    const KernelText file(replaced(text_of_kernel(), " cooperative=yes", ""));
    simt::HostQueue queue(1);
    const auto execution = file.variant().factories.at(Backend::simt)(queue, problem);
    execution->upload(initial());
    try {
        execution->advance(1);
        queue.synchronize();
        FAIL("it went on");
    } catch (const simt::KernelFault& fault) {
        CHECK_THAT(fault.what(),
                   contains("waits for the whole grid in a launch that is not "
                            "cooperative: write cooperative=yes in the camber: line"));
    }
}

}  // namespace camber::cooperative_test
