// camber: relax(in.a, out.b, columns, rows) block=16x16 overhang=yes
__global__ void relax(const float* a, float* b, int columns, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= columns || y >= rows) return;
    const int i = y * columns + x;
    const bool border = x < 1 || y < 1 || x >= columns - 1 || y >= rows - 1;
    b[i] = border ? a[i] : 0.25f * (a[i - 1] + a[i + 1] + a[i - columns] + a[i + columns]);
}
