extern "C" __global__ void twice(float* data, int count) { const int k = blockIdx.x * blockDim.x + threadIdx.x; if (k < count) data[k] *= 1.0001f; }
