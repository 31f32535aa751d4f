// Maximum and minimum of some cells; NaN among them makes both NaN.
#pragma once

#include "harness/base/target.hpp"

namespace camber {

// The larger of two numbers; NaN if one of them is NaN. fmaxf would ignore NaN; the device has an
// instruction for either from compute capability 8.0 on.
CAMBER_HD inline float larger_or_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
#else
    const float larger = a > b ? a : b;  // b if one is NaN
    return a != a ? a : larger;
#endif
}

// The smaller of two numbers; NaN if one of them is NaN.
CAMBER_HD inline float smaller_or_nan(float a, float b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float result;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
    return result;
#else
    const float smaller = a < b ? a : b;
    return a != a ? a : smaller;
#endif
}

struct MinMax {
    float largest;
    float smallest;
};

CAMBER_HD inline MinMax joined(MinMax a, MinMax b) {
    return {larger_or_nan(a.largest, b.largest), smaller_or_nan(a.smallest, b.smallest)};
}
CAMBER_HD inline MinMax joined(MinMax a, float b) {
    return {larger_or_nan(a.largest, b), smaller_or_nan(a.smallest, b)};
}

// Three cells of a row, side by side.
struct RowOfThree {
    float left;
    float centre;
    float right;

    CAMBER_HD MinMax sides() const {
        return {larger_or_nan(left, right), smaller_or_nan(left, right)};
    }
    CAMBER_HD MinMax min_max() const { return joined(sides(), centre); }
};

// A cell of a layer with its eight neighbors. Rows are reduced first and alike, so that a compiler
// that sees a cell and the next one below it reduces each row once.
struct LayerAround {
    RowOfThree upper;
    RowOfThree own;
    RowOfThree lower;

    CAMBER_HD MinMax of_all() const {
        return joined(joined(upper.min_max(), lower.min_max()), own.min_max());
    }
    CAMBER_HD MinMax of_neighbours() const {
        return joined(joined(upper.min_max(), lower.min_max()), own.sides());
    }
};

template <class Tag, class At>
CAMBER_HD LayerAround layer_around(const At& at, Tag layer) {
    return {{at(layer, -1, -1), at(layer, 0, -1), at(layer, 1, -1)},
            {at(layer, -1, 0), at(layer, 0, 0), at(layer, 1, 0)},
            {at(layer, -1, 1), at(layer, 0, 1), at(layer, 1, 1)}};
}

}  // namespace camber
