// The same from a tile in shared memory; the barrier behind the store to the tile is missing.
// camber: reference sum_plain.cu
// camber: sum_tiled(in.a, out.b, columns) block=16x16
#define TILE 16
__global__ void sum_tiled(const float* a, float* b, int n) {
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    const int left = (threadIdx.x + TILE - 1) % TILE;
    tile[threadIdx.y][left] = a[y * n + blockIdx.x * TILE + left];
    b[y * n + x] = tile[threadIdx.y][threadIdx.x] +
                   (threadIdx.x > 0 ? tile[threadIdx.y][threadIdx.x - 1] : 0.0f);
}
