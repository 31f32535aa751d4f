// The blur as a shared library that launches its kernel itself:
//     nvcc -shared -Xcompiler -fPIC -I include examples/libraries/blur.cu -o blur.so
//     camber try blur.so
#include <camber/launch.h>
#include <cuda_runtime.h>

struct Weights {
    float of[9];
};

__global__ void blur(const float* in, float* out, int columns, int rows, int pitch,
                     Weights weights) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= columns || row >= rows) return;
    float sum = 0;
    for (int k = 0; k < 9; ++k)
        sum = fmaf(weights.of[k], in[(row + k / 3 - 1) * pitch + column + k % 3 - 1], sum);
    out[row * pitch + column] = fabsf(sum);
}

CAMBER_LAUNCH(
    "workload blur\n"
    "blur(in, out, columns, rows, pitch, weights[0], weights[1], weights[2], weights[3], weights[4], "
    "weights[5], weights[6], weights[7], weights[8]) block=32x8 halo=1 align=128") {
    const CamberArgument* const arguments = launch->arguments;
    const int columns = static_cast<int>(arguments[2].number);
    const int rows = static_cast<int>(arguments[3].number);
    Weights weights;
    for (int k = 0; k < 9; ++k) weights.of[k] = static_cast<float>(arguments[5 + k].number);
    const dim3 block(32, 8);
    const dim3 grid((columns + 31) / 32, (rows + 7) / 8);
    blur<<<grid, block, 0, static_cast<cudaStream_t>(launch->stream)>>>(
        static_cast<const float*>(arguments[0].cells), static_cast<float*>(arguments[1].cells),
        columns, rows, static_cast<int>(arguments[4].number), weights);
    return cudaGetLastError();
}
