// A program of the driver API: its kernel comes from a file, and its parameters from a buffer.
#include <cuda.h>
#include <cstdio>
#include <vector>
int main() {
    CUdevice device; CUcontext context; CUmodule module; CUfunction function;
    cuInit(0); cuDeviceGet(&device, 0); cuDevicePrimaryCtxRetain(&context, device); cuCtxSetCurrent(context);
    if (cuModuleLoad(&module, "drv_kernel.cubin") != CUDA_SUCCESS) { std::puts("no module"); return 1; }
    cuModuleGetFunction(&function, module, "twice");
    CUdeviceptr data; const int count = 1 << 22;
    std::vector<float> values(count, 1.5f);
    cuMemAlloc(&data, count * 4); cuMemcpyHtoD(data, values.data(), count * 4);
    struct { CUdeviceptr data; int count; } parameters{data, count};
    size_t bytes = 12;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    for (int k = 0; k < 20; ++k) cuLaunchKernel(function, count / 256, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra);
    cuCtxSynchronize(); cuMemcpyDtoH(values.data(), data, 4); std::printf("%g\n", values[0]);
}
