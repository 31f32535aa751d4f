// camber: scale(in.a, out.b, columns*rows, 1.5) block=256 grid=(columns*rows+255)/256
__global__ void scale(const float* a, float* b, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = factor * a[i];
}
