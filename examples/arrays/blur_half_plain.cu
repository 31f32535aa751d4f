// A row of three pixels in half precision; the sums are in float.
// camber: blur(in.image, out.blurred, shape.image[1], shape.image[0]) block=64x2 grid=(shape.image[1]/64)x(shape.image[0]/2)
// camber: shape image=96x256 blurred=image
#include <cuda_fp16.h>

__global__ void blur(const __half* image, __half* blurred, int columns, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int i = y * columns + x;
    const float left = x > 0 ? __half2float(image[i - 1]) : 0;
    const float right = x < columns - 1 ? __half2float(image[i + 1]) : 0;
    blurred[i] = __float2half(0.25f * left + 0.5f * __half2float(image[i]) + 0.25f * right);
}
