// global: no halo; every neighbor is read from global memory behind a test for the board's edge.
// Balasalle 2011, section 5.2.1, Figure 5.2.
#pragma once

#include "variants/stencil/board_edge.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

template <class Rule, Boundary boundary>
__global__ void global_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return read_beyond_edge<boundary>(views, tag, views.input(tag), row + drow, column + dcol,
                                          site);
    };
    store(views, row, column, apply(views, read));
}

struct Global {
    static constexpr TechniqueInfo info{
        "global", "all reads from global memory, each behind a test of the board's edge",
        "Balasalle 2011, section 5.2.1, Figure 5.2", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : published_blocks) add(catalogue, block);
    }
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue, Region block) {
        catalogue.add(info, {.shape = {.block = block},
                             .kernel = {global_kernel<Rule, Boundary::dead>},
                             .torus_kernel = {global_kernel<Rule, torus_if_any<Rule>>}});
    }
};

// The technique global in the given blocks.
template <Region... blocks>
struct GlobalIn {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        (Global::add(catalogue, blocks), ...);
    }
};
// For steps of a pipeline that a comparison is not about.
using PlainBlocks = GlobalIn<Region{8, 8}, Region{16, 16}, Region{32, 8}>;

// transposed: like global, but threadIdx.x runs along the rows, so the accesses of adjacent lanes
// are a whole row apart. Several public programs do so unintentionally; this variant measures the
// cost. Balasalle 2011, section 4.2.2.
template <class Rule>
__global__ void row_on_x_kernel(const Views<Rule> views) {
    const int row = blockIdx.y * blockDim.x + threadIdx.x;
    const int column = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const auto read = [&](auto tag, int dcol, int drow, Site site) {
        return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                column + dcol, site);
    };
    store(views, row, column, apply(views, read));
}

// Only for boards that are not a torus.
struct RowOnX {
    static constexpr TechniqueInfo info{"transposed", "as global, consecutive threads in a column",
                                        "Balasalle 2011, section 4.2.2", Family::global_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{8, 8}, Region{16, 16}, Region{32, 8}})
            catalogue.add(info, {.shape = {.block = block, .region = {block.rows, block.columns}},
                                 .kernel = {row_on_x_kernel<Rule>}});
    }
};

CAMBER_TARGET_END
