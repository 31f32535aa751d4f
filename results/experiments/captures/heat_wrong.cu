struct Fields { const float* now; float* next; const unsigned char* material; int columns, rows; };
__constant__ float diffusivity[4];
__global__ void heat_step(Fields f, float step) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < 2 || row < 1 || column >= f.columns - 1 || row >= f.rows - 1) return;
    const int k = row * f.columns + column;
    const float sum = f.now[k - 1] + f.now[k + 1] + f.now[k - f.columns] + f.now[k + f.columns];
    f.next[k] = f.now[k] + step * diffusivity[f.material[k]] * (sum - 4 * f.now[k]);
}
