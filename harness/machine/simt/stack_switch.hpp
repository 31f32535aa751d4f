// Switches between stacks on one CPU thread, the building block of fibres.
#pragma once

#include <cstddef>

namespace camber::simt {

// Where a stack was left: valid for one switch to it.
using StackPosition = void*;

// Prepares the `bytes` from `bottom` on as a stack. The first switch to it calls entry(argument),
// which must not return.
StackPosition prepare_stack(void* bottom, std::size_t bytes, void (*entry)(void*), void* argument);

// Stores in `from` where the current stack is left, and continues on the stack `to`. Returns when
// something switches to `*from`.
void switch_stack(StackPosition* from, StackPosition to);

}  // namespace camber::simt
