// A sharpened image: every pixel against its four neighbours. Belongs to no workload: for
// camber try FILE.cu --reference sharpen.cu
// camber: sharpen(in.image, out.sharp, columns, rows, pitch.image, 0.5) block=32x8 overhang=yes halo=1
__global__ void sharpen(const float* image, float* sharp, int columns, int rows, int pitch,
                        float strength) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    const float* pixel = image + row * pitch + column;
    const float around = pixel[-pitch] + pixel[-1] + pixel[1] + pixel[pitch];
    sharp[row * pitch + column] = pixel[0] + strength * (4 * pixel[0] - around);
}
