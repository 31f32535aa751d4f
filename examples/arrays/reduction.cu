// Shuffles within a warp, shared memory between warps.
// camber: partial_sums(in.x, out.sums, count.x) block=256 grid=count.sums
// camber: reference reduction_plain.cu
__global__ void partial_sums(const int* x, int* sums, int n) {
    __shared__ int of_warp[8];
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        const int at = blockIdx.x * 1024 + i * 256 + threadIdx.x;
        if (at < n) sum += x[at];
    }
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = threadIdx.x < 8 ? of_warp[threadIdx.x] : 0;
    for (int step = 4; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
