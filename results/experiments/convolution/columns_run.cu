// Step 3: a thread computes ROWS cells of a column from registers. Warps read and write whole rows
// of 32 cells, and nothing goes through shared memory.
// camber: capture block=32x4 grid=96x48
// camber: convolutionColumnsKernel(out.to, in.from, shape.from[1], shape.from[0], shape.from[1]) block=32x4 grid=((shape.from[1]+31)/32)x((shape.from[0]+4*ROWS-1)/(4*ROWS)) constant=c_Kernel:weights
#ifndef ROWS
#define ROWS 16
#endif
constexpr int radius = 8;
__constant__ float c_Kernel[2 * radius + 1];
__global__ void convolutionColumnsKernel(float* __restrict__ to, const float* __restrict__ from,
                                         int width, int height, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (x >= width || first >= height) return;
    float cells[ROWS + 2 * radius];
    #pragma unroll
    for (int k = 0; k < ROWS + 2 * radius; ++k) {
        const int y = first - radius + k;
        cells[k] = y >= 0 && y < height ? from[y * pitch + x] : 0.f;
    }
    #pragma unroll
    for (int i = 0; i < ROWS; ++i) {
        float sum = 0;
        #pragma unroll
        for (int j = -radius; j <= radius; ++j)
            sum += c_Kernel[radius - j] * cells[i + radius + j];
        if (first + i < height) to[(first + i) * pitch + x] = sum;
    }
}
