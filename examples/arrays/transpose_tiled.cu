// A column of the tile is in one bank: 32-way conflicts.
// camber: transpose(in.a, out.b, shape.a[0], shape.a[1]) block=32x8 grid=(shape.a[1]/32)x(shape.a[0]/32)
// camber: reference transpose_naive.cu
__global__ void transpose(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][32];
    const int x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = a[(y + i) * columns + x];
    __syncthreads();
    const int to_x = blockIdx.y * 32 + threadIdx.x;
    const int to_y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) b[(to_y + i) * rows + to_x] = tile[threadIdx.x][threadIdx.y + i];
}
