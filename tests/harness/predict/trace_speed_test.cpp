// Time limit of a trace. trace-benchmark measures it; this test only checks the limit.
#include <ctime>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/trace_launches.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "workloads/list/workloads.hpp"

// The limit does not apply to builds with sanitizers or assertions.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace camber::trace_speed_test {

TEST_CASE("every Life variant is traced on 256x256 cells in under 2 s on one core",
          "[trace][slow]") {
    constexpr Size board{256, 256};
    int traced = 0;
    for (const Variant& variant : registry().variants()) {
        if (variant.info.workload != "life" || !variant.factories.contains(Backend::simt)) continue;
        CAPTURE(variant.info.name(), info(variant.info.cell).name);
        simt::HostQueue queue(1);
        const auto execution =
            variant.factories.at(Backend::simt)(queue, {board, Boundary::dead, variant.info.cell});
        execution->upload(
            find_workload("life")->initial({.size = board, .cell = variant.info.cell}));
        std::int64_t requests = 0;
        WarpRequests recorder(
            [&](simt::SiteId, const WarpRequest&, const simt::Index3&) { ++requests; });
        queue.executor().set_recorder(&recorder);
        // CPU time of this process, independent of the machine's load.
        const std::clock_t start = std::clock();
        execution->advance(variant.info.shape.generations);
        CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 2.0);
        // A lane moves at most 16 bytes; every cell is loaded and stored.
        CHECK(requests >= 2 * board.cells() * info(variant.info.cell).size / (16 * warp_lanes));
        ++traced;
    }
    CHECK(traced >= 90);
}

}  // namespace camber::trace_speed_test

#endif
