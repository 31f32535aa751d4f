// camber: turned(in.x, out.y) block=16x16 grid=count.x/256
// camber: shape x=2048 y=x
#include <cuda/barrier>
__global__ void turned(const float* x, float* y) {
    __shared__ float tile[16][16];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0 && threadIdx.y == 0) init(&bar, blockDim.x * blockDim.y);
    __syncthreads();
    const int at = blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x;
    const auto size = static_cast<cuda::aligned_size_t<alignof(float)>>(sizeof(float));
    cuda::memcpy_async(&tile[threadIdx.y][threadIdx.x], &x[at], size, bar);
    bar.arrive_and_wait();
    y[at] = tile[threadIdx.x][threadIdx.y];
}
