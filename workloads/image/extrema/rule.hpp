// Rules for extrema of three layers and of a whole stack, and the minima and maxima of cells on
// which they are based.
#pragma once

#include <cstdint>
#include <utility>

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

// Maximum and minimum of cells; NaN if any cell is NaN.

// Maximum of two numbers; NaN if one of them is NaN. fmaxf would ignore NaN; from compute
// capability 8.0 on, the device has an instruction for either behavior.
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

// Minimum of two numbers; NaN if one of them is NaN.
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

// Three adjacent cells of a row.
struct RowOfThree {
    float left;
    float centre;
    float right;

    CAMBER_HD MinMax sides() const {
        return {larger_or_nan(left, right), smaller_or_nan(left, right)};
    }
    CAMBER_HD MinMax min_max() const { return joined(sides(), centre); }
};

// Cell of a layer with its eight neighbors. All rows are reduced in the same way, so that a
// compiler that inlines the code for a cell and for the next one below reduces each row only once.
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

// Extrema of three layers and of a stack.

// Returns 1 for a maximum, -1 (255 as a byte) for a minimum, 0 otherwise. Comparisons with NaN are
// false, so both cannot be true. The function has no branches, so that adjacent cells are computed
// in parallel.
CAMBER_HD inline std::uint8_t extremum(float cell, MinMax others) {
    return static_cast<std::uint8_t>((cell > others.largest) - (cell < others.smallest));
}

// Marks the cells of the middle layer that are larger or smaller than all 26 neighbors (Lowe 2004,
// section 3.1; Balasalle 2011, section 5.3.3). Ties and neighbors of NaN are not extrema.
template <class BelowTag, class MiddleTag, class AboveTag, class ResultTag>
struct ExtremaOf {
    using Inputs = InputList<BelowTag, MiddleTag, AboveTag>;
    using Outputs = OutputList<ResultTag>;
    struct Parameters {};

    template <class At>
    CAMBER_HD static std::uint8_t next(const At& at, const Parameters&) {
        const MinMax below = layer_around(at, BelowTag{}).of_all();
        const LayerAround middle = layer_around(at, MiddleTag{});
        const MinMax above = layer_around(at, AboveTag{}).of_all();
        return extremum(middle.own.centre, joined(joined(below, above), middle.of_neighbours()));
    }
};

struct LayerInput : Input<float, 1> {
    CAMBER_HD static constexpr float outside() { return 0.0f; }
};
struct BelowLayer : LayerInput {
    static constexpr const char* field = "below";
};
struct MiddleLayer : LayerInput {
    static constexpr const char* field = "middle";
};
struct AboveLayer : LayerInput {
    static constexpr const char* field = "above";
};
struct ExtremaField : Output<std::uint8_t> {
    static constexpr const char* field = "extrema";
};
using Extrema = ExtremaOf<BelowLayer, MiddleLayer, AboveLayer, ExtremaField>;

// Layer `index` of a stack, counted from 0, and the extrema in that layer.
template <int index>
struct StackLayer : LayerInput {
    static_assert(index >= 0 && index <= 9, "its name has one digit");
    static constexpr char text[] = {'l', 'a', 'y', 'e', 'r', '0' + index, '\0'};
    static constexpr const char* field = text;
};
template <int index>
struct StackExtrema : Output<std::uint8_t> {
    static_assert(index >= 0 && index <= 9, "its name has one digit");
    static constexpr char text[] = {'e', 'x', 't', 'r', 'e', 'm', 'a', '0' + index, '\0'};
    static constexpr const char* field = text;
};
// Extrema of layer `middle` from that layer and the two adjacent ones.
template <int middle>
using ExtremaOfLayer = ExtremaOf<StackLayer<middle - 1>, StackLayer<middle>, StackLayer<middle + 1>,
                                 StackExtrema<middle>>;

namespace extrema_detail {

template <class Layers, class Results>
struct Stack;
template <int... layer, int... result>
struct Stack<std::integer_sequence<int, layer...>, std::integer_sequence<int, result...>> {
    using Inputs = InputList<StackLayer<layer>...>;
    using Outputs = OutputList<StackExtrema<result + 1>...>;
    template <int>
    struct Byte {
        using Type = std::uint8_t;
    };
    using Result = Values<typename Byte<result>::Type...>;

    template <class At>
    CAMBER_HD static Result next(const At& at) {
        const LayerAround around[] = {layer_around(at, StackLayer<layer>{})...};
        const MinMax neighbours[] = {around[layer].of_neighbours()...};
        const MinMax all[] = {joined(neighbours[layer], around[layer].own.centre)...};
        Result results;
        ((get<result>(results) =
              extremum(around[result + 1].own.centre,
                       joined(joined(all[result], all[result + 2]), neighbours[result + 1]))),
         ...);
        return results;
    }
};

}  // namespace extrema_detail

// Extrema in layers 1 to layers - 2 of a stack: the same results as ExtremaOfLayer for each, but
// every layer is read and reduced only once.
template <int layers>
struct ExtremaStack {
    static_assert(layers >= 4, "with three layers it is the rule Extrema");
    using Stack = extrema_detail::Stack<std::make_integer_sequence<int, layers>,
                                        std::make_integer_sequence<int, layers - 2>>;
    using Inputs = typename Stack::Inputs;
    using Outputs = typename Stack::Outputs;
    struct Parameters {};

    template <class At>
    CAMBER_HD static typename Stack::Result next(const At& at, const Parameters&) {
        return Stack::next(at);
    }
};

}  // namespace camber
