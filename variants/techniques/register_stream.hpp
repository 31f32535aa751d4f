// register_stream: n generations per launch. A warp streams rows of its cells downwards, n
// generations deep, in registers; left and right neighbors come by warp shuffles. It uses neither
// shared memory nor barriers. It resembles AN5D (Matsumura et al. 2020), whose neighbors pass
// through shared memory, and is the counterpart of bit_stream for cells of whole words.
#pragma once

#include "variants/stencil/cell_stream.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, class Stretch, int ahead, StreamEdge edge>
CAMBER_DEVICE void stream_through_registers(const StreamPlace<Rule, Stretch>& place) {
    LoadedRows<Rule, Stretch, ahead, edge> rows(place);
    run_stream<Rule, Stretch, edge>(place, rows);
}

template <class Rule, class Stretch, int ahead, Boundary boundary>
__global__ void __launch_bounds__(32, Stretch::resident_warps)
    register_stream_kernel(const Views<Rule> views) {
    constexpr StreamEdge at_edge =
        boundary == Boundary::torus ? StreamEdge::torus : StreamEdge::dead;
    const StreamPlace<Rule, Stretch> place(views, blockIdx.y, blockIdx.x);
    if (place.is_inside(boundary))
        stream_through_registers<Rule, Stretch, ahead, StreamEdge::none>(place);
    else
        stream_through_registers<Rule, Stretch, ahead, at_edge>(place);
}

struct RegisterStream {
    static constexpr TechniqueInfo info{
        "register_stream", "n generations per launch, rows of cells through registers, n deep",
        "after Matsumura et al. 2020", Family::several_generations};

    // Stretches of 382, 1171 and 365 rows divide a board of 16384x16384 into three times, twice or
    // once as many stretches as a GPU with 132 SMs runs at once.
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        static_assert(iterates_one_field<Rule>() && Rule::Inputs::radius == 1);
        constexpr int N = widest_pack<Rule>();
        catalogue.add(info, variant<Rule, N, 4, 256>());
        catalogue.add(info, variant<Rule, N, 8, 128>());
        // Further shapes only for rules with partial sums, which take few registers: kernels take
        // long to compile.
        if constexpr (sums_by_rows<Rule>()) {
            catalogue.add(info, variant<Rule, N, 8, 128, 4>());
            catalogue.add(info, variant<Rule, N, 8, 382>());
            catalogue.add(info, variant<Rule, N, 8, 1171>());
            catalogue.add(info, variant<Rule, 2 * N, 8, 128>());
            catalogue.add(info, variant<Rule, 2 * N, 8, 365>());
        }
    }

  private:
    // Rows are loaded `ahead` rows before they are used.
    template <class Rule, int N>
    static constexpr int usual_ahead = PassingGeneration<Rule, N>::period == 1 ? 2 : 3;

    template <class Rule, int N, int Generations, int Rows, int ahead = usual_ahead<Rule, N>>
    static StencilVariant<Rule> variant() {
        using Of = StretchOf<Rule, N, Generations, Rows>;
        Shape shape = stream_shape<Of>();
        if (ahead != usual_ahead<Rule, N>) shape.path += "/k" + std::to_string(ahead);
        return {.shape = shape,
                .kernel = {register_stream_kernel<Rule, Of, ahead, Boundary::dead>},
                .torus_kernel = {register_stream_kernel<Rule, Of, ahead, Boundary::torus>}};
    }
};

CAMBER_TARGET_END
