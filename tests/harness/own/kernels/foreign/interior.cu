// The interior alone; the application copies the board first, so that borders stay.
// camber: reference interior_plain.cu
// camber: relax(in.a, out.b, columns, rows) block=32x8 overhang=yes out=copy
__global__ void relax(const float* a, float* b, int columns, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= columns - 1 || y >= rows - 1) return;
    const int i = y * columns + x;
    b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - columns] + a[i + columns]);
}
