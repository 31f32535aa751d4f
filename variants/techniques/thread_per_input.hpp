// thread_per_input: one thread per input cell, including the halo, so that each thread loads
// exactly one cell. In every generation, the outermost `radius` threads become idle. Balasalle
// 2011, section 5.2.3, leaves it as future work (16x16 threads for a 12x12 region).
#pragma once

#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, int TX, int TY, int Generations, Boundary boundary, Fit fit>
__global__ void thread_per_input_kernel(const Views<Rule> views) {
    using Tag = typename Rule::Inputs::template At<0>;
    using Cell = typename Tag::Type;
    constexpr int radius = Rule::Inputs::radius;
    constexpr int ring = radius * Generations;
    __shared__ Tile<Cell, TY, TX> even;
    __shared__ Tile<Cell, TY, TX> odd;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int first_row = blockIdx.y * (TY - 2 * ring) - ring;
    const int first_column = blockIdx.x * (TX - 2 * ring) - ring;
    const int row = first_row + ty;
    const int column = first_column + tx;
    const Loader<fit, Rule, Tag> load(views, Tag{}, first_row, first_column);
    even(ty, tx) = load(ty, tx);
    __syncthreads();

#pragma unroll
    for (int g = 1; g <= Generations; ++g) {
        auto& from = g % 2 == 1 ? even : odd;
        auto& to = g % 2 == 1 ? odd : even;
        const int edge = g * radius;
        if (tx >= edge && tx < TX - edge && ty >= edge && ty < TY - edge) {
            const auto read = [&](Tag, int dcol, int drow, Site site) -> Cell {
                return from(ty + drow, tx + dcol, site);
            };
            const Cell value = apply(views, read, later<Rule>(views.parameters, g - 1));
            if (g == Generations) {
                if (on_board<fit>(views, row, column)) store(views, row, column, value);
            } else {
                const bool keep = boundary == Boundary::torus || views.inside(row, column);
                to(ty, tx) = keep ? value : Tag::outside();
            }
        }
        if (g < Generations) __syncthreads();
    }
}

struct ThreadPerInput {
    static constexpr TechniqueInfo info{
        "thread_per_input", "one thread per input cell, halo included; each loads one cell",
        "Balasalle 2011, section 5.2.3 (future work)", Family::shared_memory};

    static constexpr const char* needs_one_field =
        "loads one cell per thread, and the rule reads several fields";

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (iterates_one_field<Rule>()) {
            add_region<16, 16, 1>(catalogue);
            add_region<64, 4, 1>(catalogue);
            add_region<12, 12, 2>(catalogue);
            add_region<16, 16, 2>(catalogue);
            add_region<64, 4, 2>(catalogue);
            add_region<16, 16, 4>(catalogue);
            add_region<24, 24, 4>(catalogue);
        } else {
            catalogue.leave_out(info, iterates<Rule>() ? needs_one_field : needs_iteration);
        }
    }

  private:
    template <class Rule, int TX, int TY, int Generations, Boundary boundary>
    static KernelChoice<Rule> kernels() {
        return {thread_per_input_kernel<Rule, TX, TY, Generations, boundary, Fit::overhang>,
                thread_per_input_kernel<Rule, TX, TY, Generations, boundary, Fit::exact>};
    }

    // Names contain the region that a block computes; its threads are the region and its halo.
    template <int EX, int EY, int Generations, class Rule>
    static void add_region(Catalogue<Rule>& catalogue) {
        constexpr int ring = Rule::Inputs::radius * Generations;
        constexpr int TX = EX + 2 * ring;
        constexpr int TY = EY + 2 * ring;
        // Only intermediate generations depend on the board's edge.
        constexpr Boundary torus = Generations > 1 ? Boundary::torus : Boundary::dead;
        if constexpr (TX * TY <= 1024)
            catalogue.add(
                info,
                {.shape = {.block = {TX, TY},
                           .region = {EX, EY},
                           .halo = ring,
                           .alignment = 128,
                           .generations = Generations,
                           .shared_bytes = (Generations > 1 ? 2 : 1) * staged_bytes<Rule>({TX, TY}),
                           .path = Region{EX, EY}.name() + "/n" + std::to_string(Generations)},
                 .kernel = kernels<Rule, TX, TY, Generations, Boundary::dead>(),
                 .torus_kernel = kernels<Rule, TX, TY, Generations, torus>()});
    }
};

CAMBER_TARGET_END
