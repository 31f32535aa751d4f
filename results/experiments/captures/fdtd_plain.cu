// Each thread walks along z and reads its neighbors in x and y through the caches.
constexpr int radius = 4;
__constant__ float stencil[radius + 1];
__global__ void FiniteDifferencesKernel(float* __restrict__ output, const float* __restrict__ input,
                                        const int dimx, const int dimy, const int dimz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dimx || y >= dimy) return;
    const int row = dimx + 2 * radius;
    const int plane = row * (dimy + 2 * radius);
    int at = radius * plane + (y + radius) * row + x + radius;
    float column[2 * radius + 1];
    #pragma unroll
    for (int k = 0; k < 2 * radius; ++k) column[k + 1] = input[at + (k - radius) * plane];
    #pragma unroll 9
    for (int z = 0; z < dimz; ++z, at += plane) {
        #pragma unroll
        for (int k = 0; k < 2 * radius; ++k) column[k] = column[k + 1];
        column[2 * radius] = input[at + radius * plane];
        float value = stencil[0] * column[radius];
        #pragma unroll
        for (int k = 1; k <= radius; ++k)
            value += stencil[k] * (column[radius + k] + column[radius - k] + input[at - k * row] +
                                   input[at + k * row] + input[at - k] + input[at + k]);
        output[at] = value;
    }
}
