// Every block counts in shared memory and adds its counts at the end.
// camber: histogram(in.data, out.counts, count.data) block=256 grid=64 out=zeros
// camber: reference histogram_plain.cu
__global__ void histogram(const unsigned char* data, unsigned* counts, int n) {
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[data[i]], 1u);
    __syncthreads();
    const unsigned count = own[threadIdx.x];
    if (count > 0) atomicAdd(&counts[threadIdx.x], count);
}
