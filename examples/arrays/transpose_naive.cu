// Adjacent threads store a whole column apart.
// camber: transpose(in.a, out.b, shape.a[0], shape.a[1]) block=32x8 grid=(shape.a[1]/32)x(shape.a[0]/8)
// camber: shape a=256x192 b=(shape.a[1])x(shape.a[0])
__global__ void transpose(const float* a, float* b, int rows, int columns) {
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 8 + threadIdx.y;
    b[x * rows + y] = a[y * columns + x];
}
