// The Game of Life, a cell per thread.
// camber: step(in, out, columns, rows, pitch) block=32x8 halo=1
__global__ void step(const unsigned* in, unsigned* out, int columns, int rows, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    const unsigned* cell = in + (long long)y * pitch + x;
    unsigned sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) sum += cell[dy * pitch + dx];
    const unsigned self = *cell;
    out[(long long)y * pitch + x] = (sum == 3) | ((sum == 2) & self);
}
