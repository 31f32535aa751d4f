// The blur, ROWS cells of a column a thread: sums of three cells pass from row to row in registers.
// ROWS and the block are for --sweep: camber try blur_columns.cu --workload blur --sweep ROWS=2,4,8
// camber: blur(in, out, columns, rows, pitch) block=32x4 overhang=yes cells=1xROWS halo=1 align=128 constant=weights
#define ROWS 4

__constant__ float weights[9];

__global__ void blur(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    if (column >= columns) return;

    float cells[3][3];
    for (int r = 0; r < 2; ++r)
        for (int c = 0; c < 3; ++c)
            cells[r + 1][c] = row < rows ? in[(row + r - 1) * pitch + column + c - 1] : 0;
#pragma unroll
    for (int step = 0; step < ROWS; ++step) {
        if (row + step >= rows) return;
        for (int c = 0; c < 3; ++c) {
            cells[0][c] = cells[1][c];
            cells[1][c] = cells[2][c];
            cells[2][c] = in[(row + step + 1) * pitch + column + c - 1];
        }
        float sum = 0;
        for (int k = 0; k < 9; ++k) sum = fmaf(weights[k], cells[k / 3][k % 3], sum);
        out[(row + step) * pitch + column] = fabsf(sum);
    }
}
