// camber: saxpy(2, in.x, inout.y, columns*rows) block=128 grid=(columns*rows+127)/128
__global__ void saxpy(float a, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
