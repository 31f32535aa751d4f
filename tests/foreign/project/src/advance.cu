struct Wave {
    float* height;
    int columns;
    int rows;
};

__global__ void advance(Wave wave) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= wave.columns || row >= wave.rows) return;
    wave.height[row * wave.columns + column] *= 0.99f;
}
