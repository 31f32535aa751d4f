// Shared-memory tiles for the fields that a rule reads beyond its own cell.
#pragma once

#include <type_traits>

#include "harness/machine/kernel/vocabulary.hpp"

CAMBER_TARGET_BEGIN

// One tile per field that a rule reads beyond its own cell; the others are read where they are
// used.
struct NotStaged {};
template <int Height, int Width>
struct TileOf {
    template <class Tag>
    using Type =
        std::conditional_t<(Tag::radius > 0), Tile<typename Tag::Type, Height, Width>, NotStaged>;
};

CAMBER_TARGET_END
