#pragma once
// Larger than Life on tensor cores, with cells that arrive by bulk copies.
#include "harness/machine/kernel/bulk_copy.hpp"
#include "variants/life/larger_than_life/band_products.hpp"

// tensor_copies: as tensor_cores, but the warps of a block share their cells in shared memory. A
// column beside a warp's own is then read from L2 once per block, not once per warp: 1.13 bytes per
// cell instead of 1.5. Rows arrive by bulk copies one or two steps ahead, so rows in flight take no
// registers, and a warp does not wait for L2.
CAMBER_WORKLOAD_BEGIN(larger_than_life)

// Ring of `slots` steps of 32 rows, for the adjacent columns of a block's four warps.
template <int slots>
class CopiedCells : BandShape {
    struct alignas(16) Chunk {
        std::uint32_t word[4];
    };
    static constexpr int warps = 4;
    static constexpr int rows_of_warp = rows / warps;  // rows of a step whose copies a warp starts
    static constexpr int cells_of_row = warps * columns + 2 * largest_radius;
    // Chunks between rows, so that the 64 bytes that four lanes read from each of two adjacent rows
    // are in different banks.
    static constexpr int pitch = 20;
    static_assert(cells_of_row <= 16 * pitch && pitch % 8 == 4);

  public:
    struct Storage {
        Tile<Chunk, slots * rows, pitch> cells;
        CopyBarrier arrived[slots];
    };
    static constexpr std::size_t bytes =
        slots * (rows * pitch * sizeof(Chunk) + sizeof(std::uint64_t));

    // For rows [first, end) and the block's columns from `column` on, which are all on the board.
    CAMBER_DEVICE CopiedCells(const Views<LargerThanLife>& views, Storage& storage, int column,
                              int first, int end)
        : cells_(views.input(LargerThanLife::Current{})),
          storage_(storage),
          column_(column - largest_radius),
          first_(first - largest_radius),
          rows_left_(views.rows + cells_.halo() - first_),
          steps_((end - first + rows - 1) / rows + 1) {
        if (threadIdx.x == 0 && threadIdx.y == 0)
#pragma unroll
            for (int slot = 0; slot < slots; ++slot) storage_.arrived[slot].init(warps);
        __syncthreads();
#pragma unroll 1
        for (int step = 0; step < slots; ++step) start(step);
    }

    // Provides the lane's cells of the next 32 rows. Called by all warps of the block.
    CAMBER_DEVICE void take(int, Words<2> (&cells)[row_blocks][column_steps],
                            Words<4> (&own)[row_blocks]) {
        const int slot = step_ % slots;
        storage_.arrived[slot].wait(step_ / slots % 2);
        const int warp = threadIdx.y;
#pragma unroll
        for (int block = 0; block < row_blocks; ++block) {
            const int row = 8 * block + group();
            const Site beside = Site::current();
            const Site within = Site::current();
            if (step_ * rows + row < rows_left_) {
                const Chunk sides = storage_.cells(
                    slot * rows + row, columns / 16 * warp + (place() < 2 ? 0 : 5), beside);
                const Chunk mine = storage_.cells(slot * rows + row,
                                                  columns / 16 * warp + 1 + place(), within);
                const bool upper = place() % 2 == 1;
                cells[block][0] = {upper ? sides.word[2] : sides.word[0],
                                   upper ? sides.word[3] : sides.word[1]};
                own[block] = {mine.word[0], mine.word[1], mine.word[2], mine.word[3]};
            } else {
                skip(beside);
                skip(within);
                cells[block][0] = {};
                own[block] = {};
            }
            cells[block][1] = {own[block].word[0], own[block].word[1]};
            cells[block][2] = {own[block].word[2], own[block].word[3]};
        }
        // All warps must have read the rows before others replace them.
        __syncthreads();
        start(step_ + slots);
        ++step_;
    }

  private:
    // Starts the copies of a warp's share of a step's rows, as far as the board and its halo reach.
    CAMBER_DEVICE void start(int step) {
        if (step >= steps_ || !is_chosen_lane()) return;
        const int slot = step % slots;
        const int first = rows_of_warp * static_cast<int>(threadIdx.y);
        const int left = rows_left_ - step * rows - first;
        const int count = left < 0 ? 0 : left < rows_of_warp ? left : rows_of_warp;
        storage_.arrived[slot].expect(count * cells_of_row);
#pragma unroll 1
        for (int row = first; row < first + count; ++row)
            bulk_copy(storage_.cells, slot * rows + row, cells_, first_ + step * rows + row, column_,
                      cells_of_row, storage_.arrived[slot]);
    }

    const Grid<const std::uint8_t>& cells_;
    Storage& storage_;
    int column_;     // first copied column
    int first_;      // first row of the first step
    int rows_left_;  // rows from there to the end of the halo
    int steps_;
    int step_ = 0;
};

// Launch bound: `blocks` per SM.
template <int slots, int blocks>
__global__ void __launch_bounds__(128, blocks)
    tensor_copies_kernel(const Views<LargerThanLife> views, const BandProducts with) {
    constexpr int columns = BandShape::columns;
    __shared__ Bands::Storage storage;
    __shared__ typename CopiedCells<slots>::Storage ring;
    const Bands bands(storage);
    bands.fill(with.radius);
    __syncthreads();
    const int block_column = blockIdx.x * blockDim.y * columns;
    const int column = block_column + threadIdx.y * columns;
    const int first = blockIdx.y * with.rows;
    const int end = first + with.rows < views.rows ? first + with.rows : views.rows;
    if (block_column + static_cast<int>(blockDim.y) * columns <= views.columns) {
        CopiedCells<slots> cells(views, ring, block_column, first, end);
        BandProductsWarp<Fit::exact, decltype(cells)>(views, with, bands, column, cells)
            .run(first, end);
    } else if (column < views.columns) {
        const LoadedCells<Fit::overhang> cells(views, column);
        BandProductsWarp<Fit::overhang, decltype(cells)>(views, with, bands, column, cells)
            .run(first, end);
    }
}

struct TensorCopiesOf {
    static constexpr TechniqueInfo info{
        "tensor_copies", "as tensor_cores, cells by bulk copies into a ring in shared memory",
        "after Navarro et al. 2024 (CAT); CUDA C++ Programming Guide, \"Tensor Memory Accelerator\"",
        Family::shared_memory};

    static void fill(Catalogue<LargerThanLife>& catalogue) {
        add_slots<2>(catalogue);
        add_slots<3>(catalogue);
    }

  private:
    template <int slots>
    static void add_slots(Catalogue<LargerThanLife>& catalogue) {
        for (const int rows : {128, 512, 1024})
            catalogue.add(band_products_plan(
                info, rows, "/k" + std::to_string(slots), tensor_copies_kernel<slots, 4>,
                Bands::bytes + CopiedCells<slots>::bytes,
                {bulk_copy_capability, "bulk copies into shared memory"}));
    }
};

CAMBER_TARGET_END

