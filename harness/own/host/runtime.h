// Types of the CUDA runtime API that files may use outside of functions. Code that calls the
// runtime is removed before compilation (harness/own/source/functions.hpp).
enum cudaError { cudaSuccess = 0 };
typedef enum cudaError cudaError_t;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct cudaArray* cudaArray_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct curandGenerator_st* curandGenerator_t;
typedef struct cublasContext* cublasHandle_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock;
    int major, minor, maxThreadsPerBlock, multiProcessorCount, clockRate;
};
#define __managed__
#define CUDART_CB
