// Kernels that measure the cost of the kernel vocabulary on the device: kernels as techniques write
// them, with Grid, Window, Tile, Texture, vectors and atomics, and the same kernels with manual
// indexing. grid_cost_test.sh counts their instructions.
#include "variants/techniques/halo.hpp"
#include "variants/techniques/shared_tile.hpp"
#include "workloads/life/rule.hpp"

namespace camber {

using Cell = std::uint32_t;

__device__ Cell life(Cell neighbours, Cell self) {
    return (neighbours == 3) | ((neighbours == 2) & self);
}

__global__ void hand_written_halo(const Cell* current, Cell* next, int pitch, int columns,
                                  int rows) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(row) * pitch + column;
    const Cell neighbours = current[i - pitch - 1] + current[i - pitch] + current[i - pitch + 1] +
                            current[i - 1] + current[i + 1] + current[i + pitch - 1] +
                            current[i + pitch] + current[i + pitch + 1];
    next[i] = life(neighbours, current[i]);
}

// Balasalle 2011, Figure 5.6.
template <int BX, int BY>
__global__ void hand_written_shared_tile(const Cell* current, Cell* next, int pitch) {
    __shared__ Cell tile[BY + 2][BX + 2];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const std::ptrdiff_t column = blockIdx.x * BX + tx;
    const std::ptrdiff_t row = blockIdx.y * BY + ty;
    const std::ptrdiff_t i = row * pitch + column;
    tile[ty + 1][tx + 1] = current[i];
    if (tx == 0) {
        tile[ty + 1][0] = current[i - 1];
        tile[ty + 1][BX + 1] = current[i + BX];
    }
    if (ty == 0) {
        tile[0][tx + 1] = current[i - pitch];
        tile[BY + 1][tx + 1] = current[i + BY * pitch];
    }
    if (tx == 0 && ty == 1) {
        const std::ptrdiff_t o = i - pitch;
        const int corner_rows = opaque(1);  // see ConventionalWalk
#pragma unroll 1
        for (int a = 0; a < corner_rows; ++a) {
            const std::ptrdiff_t above = o + (a - 1) * pitch;
            const std::ptrdiff_t below = o + (a + BY) * pitch;
            tile[a][0] = current[above - 1];
            tile[a][BX + 1] = current[above + BX];
            tile[BY + 1 + a][0] = current[below - 1];
            tile[BY + 1 + a][BX + 1] = current[below + BX];
        }
    }
    __syncthreads();
    const Cell neighbours = tile[ty][tx] + tile[ty][tx + 1] + tile[ty][tx + 2] + tile[ty + 1][tx] +
                            tile[ty + 1][tx + 2] + tile[ty + 2][tx] + tile[ty + 2][tx + 1] +
                            tile[ty + 2][tx + 2];
    next[i] = life(neighbours, tile[ty + 1][tx + 1]);
}

__global__ void hand_written_words(cudaTextureObject_t texture, const float4* from, float4* to,
                                   int pitch, unsigned* count) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(row) * pitch + column;
    float4 four = from[i];
    four.x += tex2D<float>(texture, static_cast<float>(column), static_cast<float>(row));
    to[i] = four;
    if (four.x > 0) atomicAdd(&count[column], 1u);
}

__global__ void vocabulary_words(const Texture<float> texture, const Grid<const float4> from,
                                 const Grid<float4> to, const Grid<unsigned> count) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y;
    float4 four = from(row, column);
    four.x += texture(row, column);
    to(row, column) = four;
    if (four.x > 0) atomicAdd(&count(0, column), 1u);
}

// Compiled to check that the device compiler accepts it: a line of elements, and the creation of
// textures.
__global__ void linear_texture(const Texture<uint2, TextureShape::linear> texture,
                               const Grid<uint2> to) {
    const uint2 pair = texture(blockIdx.x, threadIdx.x);
    to(blockIdx.x, threadIdx.x) = pair;
}
template class TextureBinding<float>;
template class TextureBinding<uint2, TextureShape::linear>;

template __global__ void hand_written_shared_tile<64, 4>(const Cell*, Cell*, int);
template __global__ void halo_kernel<Life<Cell>>(Views<Life<Cell>>);
template __global__ void shared_tile_kernel<Life<Cell>, 64, 4, 1, Fit::exact>(Views<Life<Cell>>);

}  // namespace camber
