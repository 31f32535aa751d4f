// life/texture_2d/16x16/align128: every cell by a fetch; beyond the board a texture yields 0.
// camber: step(tex2d, out, columns, rows, pitch) block=16x16 align=128
__global__ void step(cudaTextureObject_t cells, unsigned* out, int columns, int rows, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    unsigned sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) sum += tex2D<unsigned>(cells, x + dx, y + dy);
    const unsigned self = tex2D<unsigned>(cells, x, y);
    out[y * pitch + x] = (sum == 3) | ((sum == 2) & self);
}
