// The Game of Life in one launch of blocks that wait for each other: sums of three cells in a row,
// then of three sums in a column. Which block a thread is of, its block remembers in shared memory.
// camber: field sums uint32
// camber: step(in, out, inout.sums, columns, rows, pitch) block=32x4 halo=1 cooperative=yes
#include <cooperative_groups.h>
#ifndef WAITS
    #define WAITS 1
#endif

__global__ void step(const unsigned* in, unsigned* out, unsigned* sums, int columns, int rows,
                     int pitch) {
    const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    __shared__ unsigned own_block;
    if (block.thread_rank() == 0) own_block = blockIdx.x;
    block.sync();

    for (int cell = grid.thread_rank(); cell < columns * (rows + 2); cell += grid.size()) {
        const unsigned* at = in + (cell / columns - 1) * pitch + cell % columns;
        sums[(cell / columns - 1) * pitch + cell % columns] = at[-1] + at[0] + at[1];
    }
    if (WAITS) grid.sync();

    const int first = own_block * block.num_threads() + block.thread_rank();
    for (int cell = first; cell < columns * rows; cell += grid.num_threads()) {
        const int place = cell / columns * pitch + cell % columns;
        const unsigned self = in[place];
        const unsigned sum = sums[place - pitch] + sums[place] + sums[place + pitch] - self;
        out[place] = (sum == 3) | ((sum == 2) & self);
    }
}
