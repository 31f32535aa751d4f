// The known history of lava in a valley, which variants of MAGFLOW in single precision reproduce.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber {

// Checksums of the thickness after steps, by whether sums are compensated.
inline const std::map<int, std::pair<std::uint64_t, std::uint64_t>> valley_history{
    {1, {0x8a3d6d8af157dc25, 0x8a3d6d8af157dc25}},
    {2, {0x6986258c42f364a4, 0x6986258c42f364a4}},
    {10, {0x698e63f87ca3d291, 0x044f98d02d9b6e27}},
    {100, {0x9b965f6e2f235241, 0xd07028808d58cd5c}}};

inline void check_valley_history(const Variant& variant) {
    const State start =
        magflow::initial_state(magflow::valley(), ElementType::float32, magflow::capacity);
    simt::HostQueue queue(1);
    for (const bool kahan : {true, false}) {
        const ParameterSet set = magflow::changed(magflow::etna(), {{"kahan", kahan ? 1.0 : 0.0}});
        const Problem problem{{64, 64}, Boundary::dead, ElementType::float32, set};
        const auto execution = variant.factories.at(Backend::simt)(queue, problem);
        execution->upload(start);
        State state = start;
        int done = 0;
        for (const auto& [step, sums] : valley_history) {
            CAPTURE(variant.info.name(), step, kahan);
            execution->poison(Poison::first);
            execution->advance(step - done);
            done = step;
            execution->download(state);
            Checksum sum;
            for (const std::byte byte : state.field("thickness").bytes())
                sum.add(static_cast<std::uint8_t>(byte));
            CHECK(sum.value() == (kahan ? sums.first : sums.second));
        }
        CHECK(magflow::time_of(state) == Approx(28.9440117042).epsilon(1e-4));
    }
}

}  // namespace camber
