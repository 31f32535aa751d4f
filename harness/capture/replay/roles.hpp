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

// Determines the roles of `parts`. Each step replays the kernel with poison in some parts: first to
// see what it writes, then to see what it reads. `known`: number of steps that an earlier process
// has done. `begin` is called before each step, with its number and its parts: a replay over a
// poisoned input may crash.
using BeginStep = std::function<void(std::size_t step, const std::vector<std::uint64_t>& parts)>;
void find_roles(ReplayedLaunch& replay, const LoadedKernel& kernel, std::vector<Part>& parts,
                std::size_t known, const BeginStep& begin);

}  // namespace camber::capture
