// life/read_only/16x16/align128 on cells of one byte, through the read-only cache.
// camber: step(in, out, columns, rows, pitch) block=16x16 halo=1 align=128
__global__ void step(const unsigned char* in, unsigned char* out, int columns, int rows,
                     int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    unsigned sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0) sum += __ldg(&in[(y + dy) * pitch + x + dx]);
    const unsigned self = __ldg(&in[y * pitch + x]);
    out[y * pitch + x] = (unsigned char)((sum == 3) | ((sum == 2) & self));
}
