// Share of the board with fluid lava, and its place in results.
#include "tests/catch.hpp"
#include "workloads/lava/lava_workload.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::active_test {

TEST_CASE("cells with fluid lava over all cells", "[lava]") {
    HostField single("thickness", ElementType::float32, {4, 2});
    CHECK(lava::active_share(single) == 0);
    single.cells<float>()[1] = 0.5f;
    single.cells<float>()[7] = 1e-30f;
    CHECK(lava::active_share(single) == 0.25);
    HostField twice("thickness", ElementType::float64, {1, 1});
    twice.cells<double>()[0] = 3;
    CHECK(lava::active_share(twice) == 1);
}

TEST_CASE("final states of lava flows say how much of the board is active", "[lava]") {
    for (const char* name : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        const Workload& workload = *find_workload(name);
        const ElementType cell = workload.facts().cell_types.front();
        const auto share = [&](double density) {
            const State state =
                workload.initial({.size = {60, 40}, .cell = cell, .seed = 2, .density = density});
            return workload.final_state(state).account.at(lava::active_share_account);
        };
        CAPTURE(name);
        CHECK(share(0) == 0);
        // The outermost cells have no lava.
        CHECK(share(1) == 58.0 * 38 / (60 * 40));
    }
}

}  // namespace camber::active_test
