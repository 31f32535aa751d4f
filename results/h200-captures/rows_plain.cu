// One cell per thread, read through the caches.
// camber: capture block=128x2 grid=24x1536
constexpr int radius = 8;
__constant__ float c_Kernel[2 * radius + 1];
__global__ void convolutionRowsKernel(float* __restrict__ to, const float* __restrict__ from, int width,
                                      int height, int pitch) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float* const row = from + y * pitch;
    float sum = 0;
    #pragma unroll
    for (int j = -radius; j <= radius; ++j)
        sum += c_Kernel[radius - j] * (x + j >= 0 && x + j < width ? row[x + j] : 0.f);
    to[y * pitch + x] = sum;
}
