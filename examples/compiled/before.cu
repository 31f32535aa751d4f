// Kernels of a small library, as in before.fatbin. examples/compiled/README.md has the command that
// compiled it.

__constant__ float weights[9];

__global__ void scale(float* values, float factor, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= factor;
}

namespace {

__global__ void blur(const float* from, float* to, int columns, int rows) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < 1 || row < 1 || column >= columns - 1 || row >= rows - 1) return;
    float sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += weights[3 * y + x + 4] * from[(row + y) * columns + column + x];
    to[row * columns + column] = sum;
}

}  // namespace

// Reverses the values of each block.
__global__ void __launch_bounds__(256) reverse(float* values) {
    __shared__ float tile[256];
    float* const block = values + blockIdx.x * blockDim.x;
    tile[threadIdx.x] = block[threadIdx.x];
    __syncthreads();
    block[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

// Counts how often each of 16 values occurs in a row of bytes.
__global__ void histogram(const unsigned char* values, int* counts, int length) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    int local[16] = {};
    for (int i = 0; i < length; ++i) {
        const int value = values[row * length + i] & 15;
#pragma unroll
        for (int k = 0; k < 16; ++k) local[k] += value == k;
    }
    for (int k = 0; k < 16; ++k) counts[row * 16 + k] = local[k];
}

void launch_all(float* values, const float* from, unsigned char* bytes, int* counts) {
    scale<<<1, 256>>>(values, 2.0f, 256);
    blur<<<1, 256>>>(from, values, 16, 16);
    reverse<<<1, 256>>>(values);
    histogram<<<1, 256>>>(bytes, counts, 256);
}
