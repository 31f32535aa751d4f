// The Game of Life, plain and slow: a thread per cell, every neighbor from global memory.
//
// The line below describes the launch. The arguments of the kernel are, in order: in and out
// are the cells before and after, both pointing at cell (0, 0); pitch counts elements from row
// to row. Each thread of a block of 32 x 8 computes one cell. A halo of one dead cell surrounds
// the board, so that no thread has to test for the edge, and rows begin at multiples of 128
// bytes.
//
// camber: step(in, out, columns, rows, pitch) block=32x8 overhang=yes halo=1 align=128
__global__ void step(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const unsigned* cell = in + row * pitch + column;
    unsigned neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) neighbours += cell[dy * pitch + dx];
    out[row * pitch + column] = neighbours == 3 || (neighbours == 2 && *cell);
}
