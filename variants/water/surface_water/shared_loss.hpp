// shared_loss: the published kernel of surface water's loss and gain. A block stages ground and
// water with a halo of two cells, computes the loss of every cell of the inner halo once into
// shared memory, and gathers the gains from there, whereas shared_tile computes nine losses per
// cell. Balasalle 2011, section 6.3.
#pragma once

#include "variants/techniques/shared_tile.hpp"
#include "workloads/water/surface_water/rules.hpp"

CAMBER_WORKLOAD_BEGIN(surface_water)

// Depth from which water flows: the field's value or, if rain and infiltration belong to the step,
// what they leave of it.
template <class T>
CAMBER_DEVICE T flowing_depth(surface_water::Flow<T>, const Views<surface_water::Flow<T>>&, T depth,
                              T) {
    return depth;
}
template <class T>
CAMBER_DEVICE T flowing_depth(surface_water::SurfaceWaterStep<T>,
                              const Views<surface_water::SurfaceWaterStep<T>>& views, T depth,
                              T infiltration) {
    const T wet = depth + views.parameters.rain.now();
    return wet - surface_water::infiltrated(wet, infiltration, views.parameters.flow.dt);
}

template <class T>
CAMBER_DEVICE const surface_water::FlowParameters<T>& flow_of(
    const surface_water::FlowParameters<T>& parameters) {
    return parameters;
}
template <class Parameters>
CAMBER_DEVICE const auto& flow_of(const Parameters& parameters) {
    return parameters.flow;
}

// Inputs of both rules, by position: terrain, depth and, if the rule has one, infiltration.
template <class Rule, int BX, int BY, Fit fit>
__global__ void shared_loss_kernel(const Views<Rule> views) {
    using TerrainTag = typename Rule::Inputs::template At<0>;
    using DepthTag = typename Rule::Inputs::template At<1>;
    using T = typename DepthTag::Type;
    __shared__ Tile<T, BY + 4, BX + 4> terrain;
    __shared__ Tile<T, BY + 4, BX + 4> depth;
    __shared__ Tile<T, BY + 2, BX + 2> per_drop;
    using Walk = ConventionalWalk<BX, BY, 1, true>;

    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    const Loader<fit, Rule, TerrainTag> load_terrain(views, {}, first_row - 2, first_column - 2);
    const Loader<fit, Rule, DepthTag> load_depth(views, {}, first_row - 2, first_column - 2);
    Walk::template each<2>([&](int r, int c) {
        terrain(r, c) = load_terrain(r, c);
        T infiltration = 0;
        if constexpr (Rule::Inputs::count == 3) {
            using Tag = typename Rule::Inputs::template At<2>;
            const Loader<fit, Rule, Tag> load(views, {}, first_row - 2, first_column - 2);
            infiltration = load(r, c);
        }
        depth(r, c) = flowing_depth(Rule{}, views, load_depth(r, c), infiltration);
    });
    __syncthreads();

    // Drop from cell (r, c) of the tiles to its neighbor.
    const auto drop = [&](int r, int c, int dcol, int drow, Site site) -> T {
        return surface_water::drop<T>(terrain(r, c, site), depth(r, c, site),
                                      terrain(r + drow, c + dcol, site),
                                      depth(r + drow, c + dcol, site));
    };
    T discharge = 0;
    const int own_row = threadIdx.y + 1;
    const int own_column = threadIdx.x + 1;
    Walk::template each<1>([&](int r, int c) {
        surface_water::Drops<T> drops;
        surface_water::each_neighbour([&](int, int dcol, int drow) {
            drops.add(drop(r + 1, c + 1, dcol, drow, Site::current()), dcol != 0 && drow != 0);
        });
        const T own = depth(r + 1, c + 1);
        const auto loss = surface_water::loss_at_rate(own, drops, flow_of(views.parameters));
        per_drop(r, c) = loss.per_drop;
        if (r == own_row && c == own_column) discharge = loss.discharge;
    });
    __syncthreads();

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!on_board<fit>(views, row, column)) return;
    const int r = own_row + 1;
    const int c = own_column + 1;
    T gain = 0;
    surface_water::each_neighbour([&](int, int dcol, int drow) {
        const T given = per_drop(r - 1 + drow, c - 1 + dcol);
        gain += surface_water::share<T>(given, -drop(r, c, dcol, drow, Site::current()));
    });
    const T own = depth(r, c);
    store(views, row, column, (own - discharge) + gain);
}

struct SharedLoss {
    static constexpr TechniqueInfo info{
        "shared_loss", "ground, water and every cell's loss staged in shared memory",
        "Balasalle 2011, section 6.3", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const int alignment : {unaligned, 128}) {
            catalogue.add(info, variant<Rule, 16, 16>(alignment));
            catalogue.add(info, variant<Rule, 64, 4>(alignment));
        }
        catalogue.add(info, variant<Rule, 32, 16>(128));
    }

  private:
    template <class Rule, int BX, int BY>
    static StencilVariant<Rule> variant(int alignment) {
        const Region block = BX * BY > 256 ? Region{64, 4} : Region{BX, BY};
        return {.shape = {.block = {BX, BY},
                          .halo = 2,
                          .alignment = alignment,
                          .shared_bytes = sizeof(typename Rule::Inputs::template At<0>::Type) *
                                          (2 * (BX + 4) * (BY + 4) + (BX + 2) * (BY + 2))},
                .kernel = {shared_loss_kernel<Rule, BX, BY, Fit::overhang>,
                           shared_loss_kernel<Rule, BX, BY, Fit::exact>},
                .stand_in = {"halo", block.name(), alignment}};
    }
};

CAMBER_TARGET_END
