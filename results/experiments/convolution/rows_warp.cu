// Step 1: a tile in shared memory as in the sample, but a warp reads 32 consecutive cells of one
// row, so that no two lanes use the same bank.
// camber: capture block=32x8 grid=12x384
// camber: convolutionRowsKernel(out.to, in.from, shape.from[1], shape.from[0], shape.from[1]) block=32x8 grid=(shape.from[1]/256)x(shape.from[0]/8) constant=c_Kernel:weights
constexpr int radius = 8;
constexpr int steps = 8;  // cells per thread, 32 columns apart
__constant__ float c_Kernel[2 * radius + 1];
__global__ void convolutionRowsKernel(float* __restrict__ to, const float* __restrict__ from, int width,
                                      int height, int pitch) {
    __shared__ float tile[8][radius + 32 * steps + radius];
    const int lane = threadIdx.x;
    const int first = blockIdx.x * 32 * steps;  // column
    const int y = blockIdx.y * 8 + threadIdx.y;
    const float* const row = from + y * pitch;
    float* const cells = tile[threadIdx.y];
    for (int i = lane; i < radius + 32 * steps + radius; i += 32) {
        const int x = first - radius + i;
        cells[i] = x >= 0 && x < width ? row[x] : 0.f;
    }
    __syncthreads();
    for (int i = 0; i < steps; ++i) {
        float sum = 0;
        #pragma unroll
        for (int j = -radius; j <= radius; ++j)
            sum += c_Kernel[radius - j] * cells[lane + 32 * i + radius + j];
        to[y * pitch + first + lane + 32 * i] = sum;
    }
}
