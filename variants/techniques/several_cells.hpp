// several_cells: like global, but with K cells of a row per thread, one block width apart, so that
// the lanes of a warp still read adjacent cells; the grid is K times narrower.
#pragma once

#include <string>

#include "variants/stencil/board_edge.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_TARGET_BEGIN

// The loop is not unrolled: heavy rules would be compiled K times.
template <class Rule, int K>
__global__ void several_cells_kernel(const Views<Rule> views) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows) return;
    // Lanes that compute in different iterations share no instruction.
    static_assert(K <= 4);
    const Site iterations[] = {Site::current(), Site::current(), Site::current(), Site::current()};
#pragma unroll 1
    for (int q = 0; q < K; ++q) {
        const CallPath iteration(iterations[q]);
        const int column = (blockIdx.x * K + q) * blockDim.x + threadIdx.x;
        if (column >= views.columns) return;
        const auto read = [&](auto tag, int dcol, int drow, Site site) {
            return read_beyond_edge<Boundary::dead>(views, tag, views.input(tag), row + drow,
                                                    column + dcol, site);
        };
        store(views, row, column, apply(views, read));
    }
}

// Only for boards that are not a torus.
struct SeveralCells {
    static constexpr TechniqueInfo info{"several_cells",
                                        "as global, threads compute several cells of a row",
                                        "public GPU versions of SCIARA-fv2", Family::several_cells};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        for (const Region block : {Region{16, 16}, Region{32, 8}}) {
            add_count<2>(catalogue, block);
            add_count<4>(catalogue, block);
        }
    }

  private:
    template <int K, class Rule>
    static void add_count(Catalogue<Rule>& catalogue, Region block) {
        catalogue.add(info, {.shape = {.block = block,
                                       .region = {K * block.columns, block.rows},
                                       .elements_per_thread = K,
                                       .path = block.name() + "/k" + std::to_string(K)},
                             .kernel = {several_cells_kernel<Rule, K>}});
    }
};

CAMBER_TARGET_END
