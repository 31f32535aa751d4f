// camber: copy(in.a, out.b, columns*rows) block=256 grid=(columns*rows+255)/256
__global__ void copy(const float* a, float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}
