// For one size, which is a macro: every other board is out of bounds.
// camber: reference copy_plain.cu
// camber: size 96x64
// camber: copy_all(in.a, out.b) block=32x8
#define WIDTH 96
__global__ void copy_all(const float* a, float* b) {
    const int i = (blockIdx.y * blockDim.y + threadIdx.y) * WIDTH + blockIdx.x * 32 + threadIdx.x;
    if (i < WIDTH * 64) b[i] = a[i];
}
