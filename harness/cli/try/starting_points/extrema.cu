// Extrema of three layers, plain and slow: a thread per cell, all 27 cells from global memory. The
// result is 1 for a cell that is larger than all around it in the three layers, 255 (-1 as a byte)
// for one that is smaller, 0 for others.
//
// The line below describes the launch. The arguments of the kernel are, in order: the layers
// and the result, each pointing at cell (0, 0). Element sizes differ, so each field has its
// own pitch, which counts elements from row to row. Each thread of a block of 32 x 8 computes
// one cell. A halo of one cell of 0 surrounds the board; rows begin at multiples of 128
// bytes.
//
// camber: extrema(in.below, in.middle, in.above, out, columns, rows, pitch.middle, pitch.extrema) block=32x8 overhang=yes halo=1 align=128
__global__ void extrema(const float* below, const float* middle, const float* above,
                        unsigned char* out, int columns, int rows, int pitch, int out_pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const float* const layers[3] = {below, middle, above};
    const float cell = middle[row * pitch + column];
    bool largest = true;
    bool smallest = true;
    for (int layer = 0; layer < 3; ++layer)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                if (layer == 1 && dy == 0 && dx == 0) continue;
                const float other = layers[layer][(row + dy) * pitch + column + dx];
                largest = largest && cell > other;
                smallest = smallest && cell < other;
            }
    out[row * out_pitch + column] = largest ? 1 : smallest ? 255 : 0;
}
