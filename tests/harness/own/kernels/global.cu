// camber: step(in, out, columns, rows, pitch) block=32x8
__global__ void step(const unsigned* __restrict__ in, unsigned* __restrict__ out, int columns, int rows, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    unsigned sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            const int cx = x + dx, cy = y + dy;
            if (cx >= 0 && cx < columns && cy >= 0 && cy < rows) sum += in[cy * pitch + cx];
        }
    out[y * pitch + x] = (sum == 3) | ((sum == 2) & in[y * pitch + x]);
}
