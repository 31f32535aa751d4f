// Larger than Life, plain and slow: a thread per cell, every cell of its square from global memory.
//
// The line below describes the launch. The arguments of the kernel are, in order: in and out are
// the cells before and after, both pointing at cell (0, 0); pitch counts elements from row to row;
// the other numbers are those of the rule, which counts the cell itself as part of its square. Each
// thread of a block of 32 x 8 computes one cell. A halo of 16 dead cells surrounds the board,
// enough for every radius, so that no thread has to test for the edge, and rows begin at multiples
// of 128 bytes.
//
// camber: step(in, out, columns, rows, pitch, radius, birth[0], birth[1], survival[0], survival[1]) block=32x8 overhang=yes halo=16 align=128
__global__ void step(const unsigned char* in, unsigned char* out, int columns, int rows, int pitch,
                     int radius, int birth_least, int birth_most, int survival_least,
                     int survival_most) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;

    const unsigned char* cell = in + row * pitch + column;
    int living = 0;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) living += cell[dy * pitch + dx];
    const int least = *cell ? survival_least : birth_least;
    const int most = *cell ? survival_most : birth_most;
    out[row * pitch + column] = living >= least && living <= most;
}
