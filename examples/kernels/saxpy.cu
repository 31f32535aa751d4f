// A kernel as it stands in an application: no line says how camber launches it.
#include <cuda_runtime.h>

__global__ void saxpy(float a, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

void run(float a, const float* x, float* y, int n) {
    saxpy<<<(n + 255) / 256, 256>>>(a, x, y, n);
    cudaDeviceSynchronize();
}
