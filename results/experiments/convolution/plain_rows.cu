// One cell per thread, with the weights as an argument: defines the correct result.
// camber: rows(out.to, in.from, in.weights, shape.from[1], shape.from[0]) block=128 grid=((shape.from[1]+127)/128)x(shape.from[0])
// camber: shape from=64x512 to=from weights=17
__global__ void rows(float* to, const float* from, const float* weights, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = -8; j <= 8; ++j)
        if (x + j >= 0 && x + j < width) sum += weights[8 - j] * from[y * width + x + j];
    to[y * width + x] = sum;
}
