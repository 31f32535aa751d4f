// Initial state of the toy workload.
#pragma once

#include <cstdint>

#include "harness/base/state.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::toy {

inline State initial_state(Size size) {
    State state;
    state.fields = {{"cells", ElementType::uint32, size},
                    {"slope", ElementType::uint8, size},
                    {"weight", ElementType::uint32, size}};
    for (std::int64_t i = 0; i < size.cells(); ++i) {
        state.fields[0].cells<std::uint32_t>()[i] = static_cast<std::uint32_t>(mix(1, i));
        state.fields[1].cells<std::uint8_t>()[i] = static_cast<std::uint8_t>(mix(2, i));
        state.fields[2].cells<std::uint32_t>()[i] = static_cast<std::uint32_t>(mix(3, i)) | 1;
    }
    return state;
}

}  // namespace camber::toy
