// Inputs and outputs of a captured kernel, found by replays over poisoned memory.
#pragma once

#include <functional>
#include <vector>

#include "harness/capture/replay/replayed_launch.hpp"

namespace camber::capture {

// Divides the buffers where addresses in parameters point.
std::vector<Part> parts_of(const Capture& capture, std::size_t index);

// Element types of the kernel's pointer parameters, from its demangled name, for each part that a
// parameter points to; Element::bytes if the type is no floating-point number.
std::vector<Element> elements_of(const Capture& capture, std::size_t index,
                                 const std::vector<Part>& parts);

// Determines the roles of `parts` from number `known` on; before each replay, `begin` is called with
// the number of parts that are known. A replay over a poisoned input may crash.
void find_roles(ReplayedLaunch& replay, const LoadedKernel& kernel, std::vector<Part>& parts,
                std::size_t known, const std::function<void(std::size_t)>& begin);

}  // namespace camber::capture
