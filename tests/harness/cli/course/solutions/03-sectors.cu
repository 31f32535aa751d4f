// camber: exercise 3
// camber: gray(in, out, columns, rows, pitch) block=32x8 cells=4x1 align=128 overhang=yes
// One load and one store of 16 bytes for each pixel use every byte of their sectors.
__global__ void gray(const float* in, float* out, int columns, int rows, int pitch) {
    const int column = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float4 pixel = *(const float4*)(in + row * pitch + column);
    const float value = 0.299f * pixel.x + 0.587f * pixel.y + 0.114f * pixel.z;
    *(float4*)(out + row * pitch + column) = make_float4(value, value, value, pixel.w);
}
