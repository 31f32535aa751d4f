// Gives kernel libraries that the program loads access to the program's CUDA runtime. A runtime of
// their own would not know the program's streams, and if the program links the runtime statically,
// its functions are hidden. Such a library is linked with --wrap=NAME for each function here, so
// that it calls __wrap_NAME (harness/own/technique/technique_variants.cpp).
#include <cuda_runtime_api.h>

#include <cstddef>

extern "C" {

// Declarations from <crt/host_runtime.h>, which only nvcc can include, for nvcc's generated code.
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* stub, char* function, const char* name,
                            int limit, uint3* thread, uint3* block, dim3* size, dim3* grid,
                            int* warp);
void __cudaRegisterVar(void** handle, char* variable, char* address, const char* name, int external,
                       std::size_t size, int constant, int global);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
// Only newer runtimes have these two.
__attribute__((weak)) cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub);
__attribute__((weak)) cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                                     void** arguments, std::size_t shared,
                                                     cudaStream_t stream);

void** __wrap___cudaRegisterFatBinary(void* binary) {
    return __cudaRegisterFatBinary(binary);
}
void __wrap___cudaRegisterFatBinaryEnd(void** handle) {
    __cudaRegisterFatBinaryEnd(handle);
}
void __wrap___cudaUnregisterFatBinary(void** handle) {
    __cudaUnregisterFatBinary(handle);
}
void __wrap___cudaRegisterFunction(void** handle, const char* stub, char* function,
                                   const char* name, int limit, uint3* thread, uint3* block,
                                   dim3* size, dim3* grid, int* warp) {
    __cudaRegisterFunction(handle, stub, function, name, limit, thread, block, size, grid, warp);
}
void __wrap___cudaRegisterVar(void** handle, char* variable, char* address, const char* name,
                              int external, std::size_t size, int constant, int global) {
    __cudaRegisterVar(handle, variable, address, name, external, size, constant, global);
}
cudaError_t __wrap___cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared,
                                              void* stream) {
    return __cudaPopCallConfiguration(grid, block, shared, stream);
}
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
    return __cudaGetKernel ? __cudaGetKernel(kernel, stub) : cudaErrorNotSupported;
}
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream) {
    return __cudaLaunchKernel ? __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream)
                              : cudaErrorNotSupported;
}
cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}
cudaError_t __wrap_cudaGetSymbolAddress(void** address, const void* symbol) {
    return cudaGetSymbolAddress(address, symbol);
}

}  // extern "C"
