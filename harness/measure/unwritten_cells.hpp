// Cells of a verified run that the variant never wrote: they still have their poison.
#pragma once

#include <cstdint>
#include <optional>

#include "harness/base/poison.hpp"
#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

struct CellIndex {
    const HostField* field = nullptr;  // of the actual state
    std::int64_t cell = 0;             // row by row
};

// The first cell of a field that `workload` writes that has the bytes of `poison` and should not.
std::optional<CellIndex> first_poisoned(const Workload& workload, const State& expected,
                                        const State& actual, Poison poison);

// True if a cell may be left out without a difference: if the right value of a cell that is no
// floating-point number is its poison. Cells of one bit lie in words whose order only the variant
// knows, so that any of them may be.
bool hides_poison(const Workload& workload, const State& state, Poison poison, int threads);

}  // namespace camber
