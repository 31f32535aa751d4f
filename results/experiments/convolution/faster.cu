// Functions of the sample's convolutionSeparable.cu with the kernels of steps 2 and 3. The program is
// linked from the sample's main.cpp and convolutionSeparable_gold.cpp and this file.
#include <cuda_runtime.h>
#ifndef ROWS
#define ROWS 16
#endif
namespace rows {
#include "rows_four.cu"
}
namespace columns {
#include "columns_run.cu"
}
extern "C" void setConvolutionKernel(float* weights) {
    cudaMemcpyToSymbol(rows::c_Kernel, weights, sizeof rows::c_Kernel);
    cudaMemcpyToSymbol(columns::c_Kernel, weights, sizeof columns::c_Kernel);
}
extern "C" void convolutionRowsGPU(float* to, float* from, int width, int height) {
    const dim3 block(32, 8);
    rows::convolutionRowsKernel<<<dim3((width / 4 + 31) / 32, (height + 7) / 8), block>>>(
        to, from, width, height, width);
}
extern "C" void convolutionColumnsGPU(float* to, float* from, int width, int height) {
    const dim3 block(32, 4);
    const int rows_of_block = 4 * ROWS;
    columns::convolutionColumnsKernel<<<dim3((width + 31) / 32,
                                             (height + rows_of_block - 1) / rows_of_block),
                                        block>>>(to, from, width, height, width);
}
