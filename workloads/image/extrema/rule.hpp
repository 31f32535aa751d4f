// Extrema of three layers: the rule, and its sliding form over more layers.
#pragma once

#include <cstdint>
#include <utility>

#include "harness/base/target.hpp"
#include "workloads/core/rule.hpp"
#include "workloads/image/extrema/min_max.hpp"

namespace camber {

// Classifies a cell: 1 for a maximum, -1 (255 as a byte) for a minimum, 0 for neither. Comparisons
// with NaN are false, so at most one of the two holds. Without branches, adjacent cells can be
// decided in parallel.
CAMBER_HD inline std::uint8_t extremum(float cell, MinMax others) {
    return static_cast<std::uint8_t>((cell > others.largest) - (cell < others.smallest));
}

// Marks cells of the middle layer that are larger or smaller than all 26 neighbors (Lowe 2004,
// section 3.1; Balasalle 2011, section 5.3.3). Equal cells and cells beside NaN are no extrema.
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

// Layer number `index` of a stack, from 0, and the extrema in it.
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
// The extrema of layer `middle` from the layers around it alone.
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

// The extrema in layers 1 to layers - 2 of a stack: ExtremaOfLayer for each, but every layer is
// read and reduced once.
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
