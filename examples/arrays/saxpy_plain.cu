// camber: saxpy(count.x, 2.5f, in.x, inout.y) block=256 grid=(count.x+255)/256
// camber: shape x=200000 y=x
__global__ void saxpy(int n, float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
