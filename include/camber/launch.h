/* Exports of a shared library whose kernels camber measures: one line that describes the kernel,
 * and one function that launches it on a GPU. For C and C++; other languages export the three
 * symbols below themselves.
 *
 *     #include <camber/launch.h>
 *
 *     CAMBER_LAUNCH("blur(in, out, columns, rows, pitch) block=32x8 halo=1 align=128") {
 *         const float* in = (const float*)launch->arguments[0].cells;
 *         ...
 *         blur<<<grid, block, 0, (cudaStream_t)launch->stream>>>(in, ...);
 *         return cudaGetLastError();
 *     }
 *
 * The line has the same form as for a kernel in a file (docs/guide/own-kernel.md), without
 * "// camber:". The function receives the arguments in the line's order. Further lines, separated
 * by \n, are "workload NAME" and "field NAME TYPE outside=NUMBER". A library that needs textures or
 * constant memory manages them itself.
 */
#ifndef CAMBER_LAUNCH_H
#define CAMBER_LAUNCH_H

/* Version of this interface. camber refuses a library with another version. */
#define CAMBER_LAUNCH_VERSION 1

typedef union CamberArgument {
    void* cells;   /* in, out, inout: cell (0, 0) of the field, in the device's memory */
    double number; /* columns, rows, pitch, halo, generation, and the workload's numbers */
} CamberArgument;

typedef struct CamberLaunch {
    const CamberArgument* arguments;
    int count;    /* number of arguments */
    void* stream; /* a cudaStream_t of the current device: enqueue all work here, do not wait */
} CamberLaunch;

#ifdef __cplusplus
    #define CAMBER_EXPORTED extern "C" __attribute__((visibility("default")))
#else
    #define CAMBER_EXPORTED extern __attribute__((visibility("default")))
#endif

/* Exported symbols. camber_launch() returns 0, or a cudaError_t. It is also called while a CUDA
 * graph is recorded, so it must not allocate memory or wait for the device. */
CAMBER_EXPORTED const int camber_launch_version;
CAMBER_EXPORTED const char camber_launch_line[];
CAMBER_EXPORTED int camber_launch(const CamberLaunch* launch);

/* Precedes the function's body. */
#define CAMBER_LAUNCH(line)                                  \
    const int camber_launch_version = CAMBER_LAUNCH_VERSION; \
    const char camber_launch_line[] = line;                  \
    int camber_launch(const CamberLaunch* launch)

#endif
