#include "detail/index.cuh"

__global__ void smooth(const float* in, float* out, int columns, int rows) {
    __shared__ float tile[8][32];
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const bool inside = column < columns && row < rows;
    tile[threadIdx.y][threadIdx.x] = inside ? in[cell(column, row, columns)] : 0;
    __syncthreads();
    if (!inside) return;
    const int left = threadIdx.x == 0 ? 0 : threadIdx.x - 1;
    out[cell(column, row, columns)] =
        0.5f * (tile[threadIdx.y][left] + tile[threadIdx.y][threadIdx.x]);
}
