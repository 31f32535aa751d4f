// first_rows: shared_tile whose halo is loaded by the first rows of threads instead of the threads
// at the block's edge; as many adjacent threads take part as the halo has cells. After Topa and
// Mlocek 2013, section 3 (16x16: rows 0 and 1 load the rows above and below, rows 2 and 3 the
// columns left and right), generalized to any block and, if a rule reads corners, with corners.
// Tiles are as wide as needed (w18 for a block of 16 columns) or one column wider (w19), which
// spreads a column of the tile over different banks on GPUs with 16 banks.
#pragma once

#include "variants/techniques/shared_tile.hpp"

CAMBER_TARGET_BEGIN

// True if a rule reads diagonal neighbors of any field.
template <class Tag>
CAMBER_HD constexpr bool reads_corners() {
    if constexpr (requires { Tag::corners; })
        return Tag::corners;
    else
        return true;
}

template <int BX, int BY>
struct EdgeRowsWalk {
    template <int ring, bool corners, class F>
    CAMBER_DEVICE static void each(const F& f) {
        const int tx = threadIdx.x;
        const int ty = threadIdx.y;
        visit(f, ty + ring, tx + ring);
        constexpr int above_and_below = 2 * ring * BX;
        constexpr int sides = 2 * ring * BY;
        constexpr int in_corners = corners ? 4 * ring * ring : 0;
#pragma unroll
        for (int t = ty * BX + tx; t < above_and_below + sides + in_corners; t += BX * BY) {
            if (t < above_and_below) {
                const int line = t / BX;
                visit(f, line < ring ? line : BY + line, ring + t % BX);
            } else if (t < above_and_below + sides) {
                const int u = t - above_and_below;
                const int line = u / BY;
                visit(f, ring + u % BY, line < ring ? line : BX + line);
            } else {
                const int u = t - above_and_below - sides;
                const int r = u / (2 * ring);
                const int c = u % (2 * ring);
                visit(f, r < ring ? r : BY + r, c < ring ? c : BX + c);
            }
        }
    }
};

template <class Rule, int BX, int BY, int Pad, Fit fit>
__global__ void first_rows_kernel(const Views<Rule> views) {
    constexpr int ring = Rule::Inputs::radius;
    using Tiles = typename Rule::Inputs::template Map<
        TileOf<BY + 2 * ring, BX + 2 * ring + Pad>::template Type>;
    __shared__ Tiles tiles;

    const int first_row = blockIdx.y * BY;
    const int first_column = blockIdx.x * BX;
    Rule::Inputs::for_each([&]<class Tag>(Tag tag) {
        if constexpr (Tag::radius > 0) {
            auto& tile = get<Rule::Inputs::template index<Tag>>(tiles);
            const Loader<fit, Rule, Tag> load(views, tag, first_row - ring, first_column - ring);
            EdgeRowsWalk<BX, BY>::template each<ring, reads_corners<Tag>()>(
                [&](int r, int c) { tile(r, c) = load(r, c); });
        }
    });
    __syncthreads();

    const int row = first_row + threadIdx.y;
    const int column = first_column + threadIdx.x;
    if (!on_board<fit>(views, row, column)) return;
    const auto read = [&]<class Tag>(Tag tag, int dcol, int drow, Site site) -> typename Tag::Type {
        if constexpr (Tag::radius > 0)
            return get<Rule::Inputs::template index<Tag>>(tiles)(threadIdx.y + ring + drow,
                                                                 threadIdx.x + ring + dcol, site);
        else
            return views.input(tag)(row, column, site);
    };
    store(views, row, column, apply(views, read));
}

struct FirstRows {
    static constexpr TechniqueInfo info{"first_rows",
                                        "shared tile whose ring the first rows of threads load",
                                        "Topa and Mlocek 2013, section 3", Family::shared_memory};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius == 0) {
            catalogue.leave_out(info, "reads no neighbours: there is no ring to load");
        } else {
            catalogue.add(info, variant<Rule, 16, 16, 0>());
            if constexpr (is_heavy<Rule>()) return;
            catalogue.add(info, variant<Rule, 16, 16, 1>());
            catalogue.add(info, variant<Rule, 64, 4, 0>());
        }
    }

  private:
    template <class Rule, int BX, int BY, int Pad>
    static StencilVariant<Rule> variant() {
        constexpr int ring = Rule::Inputs::radius;
        constexpr int width = BX + 2 * ring + Pad;
        const Region block{BX, BY};
        return {.shape = {.block = block,
                          .halo = ring,
                          .alignment = 128,
                          .shared_bytes = staged_bytes<Rule>({width, BY + 2 * ring}),
                          .path = block.name() + "/w" + std::to_string(width)},
                .kernel = {first_rows_kernel<Rule, BX, BY, Pad, Fit::overhang>,
                           first_rows_kernel<Rule, BX, BY, Pad, exact_if_short<Rule>>}};
    }
};

CAMBER_TARGET_END
