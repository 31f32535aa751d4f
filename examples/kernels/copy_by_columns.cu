// Copies a board through a tile in shared memory whose columns a warp accesses: a bank conflict.
// PAD lengthens the rows of the tile: camber model --workload blur --candidate ... --sweep PAD=0,1
// camber: copy_by_columns(in, out, columns, rows, pitch) block=32x8 align=128
#ifndef PAD
#define PAD 0
#endif

__global__ void copy_by_columns(const float* in, float* out, int columns, int rows, int pitch) {
    __shared__ float tile[32][32 + PAD];
    const int column = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    if (column >= columns || row >= rows) return;
    tile[threadIdx.x][threadIdx.y] = in[row * pitch + column];
    out[row * pitch + column] = tile[threadIdx.x][threadIdx.y];
}
