// row_stream: every thread computes N adjacent cells of R rows from rows in registers. Accesses
// move N cells; left and right neighbors come from the warp's other lanes by shuffles, so every
// cell is loaded once per thread that needs its column. It uses neither shared memory nor barriers.
// It is the register streaming of temporal-blocking codes (Rawat et al. 2016; Matsumura et al.
// 2020, AN5D) for one generation.
#pragma once

#include "variants/stencil/catalogue.hpp"
#include "variants/stencil/row_window.hpp"

CAMBER_TARGET_BEGIN

// Clears the bits of a row's last word that are beyond the board's edge. Other kernels leave that
// to
// a subsequent launch.
template <class Rule, class Cell>
CAMBER_DEVICE Cell cells_of_board(const Views<Rule>& views, int column, Cell value) {
    if constexpr (has_bits<Rule>())
        return value & BitOrder{Rule::words_per_group}.on_board(column, views.parameters.columns);
    else
        return value;
}

template <int N, int Rows, Fit fit, class Rule>
CAMBER_DEVICE void stream_rows(const Views<Rule>& views, int block_row) {
    const int row = (block_row * blockDim.y + threadIdx.y) * Rows;
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * N;
    const RowWindow<Rule, N, Rows, Sides::shuffles, fit> window(views, row, column);
#pragma unroll
    for (int r = 0; r < Rows; ++r)
        store_row<N, fit>(views, row + r, column, [&](int c) { return window.next(r, c); });
}

// For kernels whose blocks compute other rows and columns than those of their index. No subsequent
// launch clears the bits beyond the board's edge, so they are cleared here.
template <int N, int Rows, Fit fit, class Rule>
CAMBER_DEVICE void stream_rows(const Views<Rule>& views, int block_row, int block_column) {
    const int row = (block_row * blockDim.y + threadIdx.y) * Rows;
    const int column = (block_column * blockDim.x + threadIdx.x) * N;
    const RowWindow<Rule, N, Rows, Sides::shuffles, fit> window(views, row, column);
#pragma unroll
    for (int r = 0; r < Rows; ++r)
        store_row<N, fit>(views, row + r, column, [&](int c) {
            return cells_of_board(views, column + c, window.next(r, c));
        });
}

template <class Rule, int N, int Rows, Fit fit>
__global__ void row_stream_kernel(const Views<Rule> views) {
    stream_rows<N, Rows, fit>(views, blockIdx.y);
}

template <class Rule, int N, int Rows, Fit fit>
__global__ void linked_row_stream_kernel(const Views<Rule> views, const Link<Rule> link) {
    const LinkedBlock block(link);
    stream_rows<N, Rows, fit>(views, block.row(), blockIdx.x);
    block.send(views);
}

// Launch bound: with 48 registers, five blocks of 256 threads are resident per SM. With 40, the
// compiler spills the number of the block's next turn, and the block waits until it has arrived.
template <class Rule, int N, int Rows, Fit fit>
__global__ void __launch_bounds__(256, 5)
    staying_row_stream_kernel(const Turns<Rule> turns, const int generations) {
    stay(turns, generations, [](const Views<Rule>& views, int row, int column) {
        stream_rows<N, Rows, fit>(views, row, column);
    });
}

struct RowStream {
    static constexpr TechniqueInfo info{
        "row_stream", "rows in registers, wide accesses, sides by warp shuffles",
        "after Rawat et al. 2016 and Matsumura et al. 2020", Family::register_streaming};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius == 0) {
            catalogue.leave_out(info, "reads no neighbours; packed is the same");
        } else if constexpr (is_heavy<Rule>()) {
            add_rows<Rule, 2, 1>(catalogue, {64, 4});
        } else if constexpr (is_large<Rule>()) {
            constexpr int N = widest_pack<Rule>();
            add_rows<Rule, N, 1>(catalogue, {64, 4});
            add_rows<Rule, N, 2>(catalogue, {64, 4});
        } else {
            constexpr int N = widest_pack<Rule>();
            for (const Region block : {Region{32, 4}, Region{64, 4}}) {
                add_rows<Rule, N, 1>(catalogue, block);
                add_rows<Rule, N, 2>(catalogue, block);
                add_rows<Rule, N, 4>(catalogue, block);
                add_rows<Rule, N, 8>(catalogue, block);
            }
        }
    }

  private:
    // Maximum cells per thread; more would exceed the registers of a thread.
    static constexpr int most_cells = 32;

    template <class Rule, int N, int Rows>
    static void add_rows(Catalogue<Rule>& catalogue, Region block) {
        if constexpr (N * Rows * (Rule::Inputs::radius > 1 ? 2 : 1) <= most_cells)
            catalogue.add(info, variant<Rule, N, Rows>(block));
    }

    // Blocks are whole warps wide.
    template <class Rule, int N, int Rows>
    static StencilVariant<Rule> variant(Region block) {
        const std::string pack = "/v" + std::to_string(N);
        StencilVariant<Rule> made{
            .shape = {.block = block,
                      .region = {block.columns * N, block.rows * Rows},
                      .halo = Rule::Inputs::radius,
                      .alignment = 128,
                      .elements_per_thread = N * Rows,
                      .path = block.name() + pack + "/r" + std::to_string(Rows)},
            .kernel = {row_stream_kernel<Rule, N, Rows, Fit::overhang>,
                       row_stream_kernel<Rule, N, Rows, exact_if_short<Rule>>},
            .stand_in = {"packed", "64x4" + pack, 128}};
        // Only for the fastest form, because kernels take long to compile.
        if constexpr (Rows == 2 && iterates<Rule>()) {
            made.linked_kernel = {linked_row_stream_kernel<Rule, N, Rows, Fit::overhang>,
                                  linked_row_stream_kernel<Rule, N, Rows, exact_if_short<Rule>>};
            made.staying_kernel = {staying_row_stream_kernel<Rule, N, Rows, Fit::overhang>,
                                   staying_row_stream_kernel<Rule, N, Rows, exact_if_short<Rule>>};
        }
        return made;
    }
};

CAMBER_TARGET_END
