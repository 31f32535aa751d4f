// One atomic addition in global memory for each byte.
// camber: histogram(in.data, out.counts, count.data) block=256 grid=64 out=zeros
// camber: shape data=100000 counts=256
__global__ void histogram(const unsigned char* data, unsigned* counts, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[data[i]], 1u);
}
