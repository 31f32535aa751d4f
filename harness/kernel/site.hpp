// The place in the source where a kernel touches memory: the name of an access in traces and
// messages.
#pragma once

#include "harness/kernel/target.hpp"

#if !CAMBER_ON_DEVICE
    #include <source_location>
#endif

CAMBER_TARGET_BEGIN

#if CAMBER_ON_DEVICE
// On the device an access needs no name; the empty argument vanishes when the accessor is inlined.
struct Site {
    CAMBER_HD static constexpr Site current() { return {}; }
};
#else
using Site = std::source_location;
#endif

CAMBER_TARGET_END
