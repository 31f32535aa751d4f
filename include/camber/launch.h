/* What a shared library exports whose kernels camber measures: one line that says what it computes,
 * and one function that launches it on a GPU. For C and C++; other languages export the three
 * symbols below by themselves.
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
 * The line is that of a kernel in a file (docs/guide/own-kernel.md), without "// camber:". The
 * arguments reach the function in the line's order. Further lines, separated by \n, are "workload
 * NAME" and "field NAME TYPE outside=NUMBER". Textures and constant= are the library's own affair.
 */
#ifndef CAMBER_LAUNCH_H
#define CAMBER_LAUNCH_H

/* Of what stands in this file. A library of another version is refused. */
#define CAMBER_LAUNCH_VERSION 1

typedef union CamberArgument {
    void* cells;   /* in, out, inout: cell (0, 0) of the field, in the device's memory */
    double number; /* columns, rows, pitch, halo, generation, and the workload's numbers */
} CamberArgument;

typedef struct CamberLaunch {
    const CamberArgument* arguments;
    int count;    /* of arguments */
    void* stream; /* a cudaStream_t of the current device: the work goes there, and nobody waits */
} CamberLaunch;

#ifdef __cplusplus
    #define CAMBER_EXPORTED extern "C" __attribute__((visibility("default")))
#else
    #define CAMBER_EXPORTED extern __attribute__((visibility("default")))
#endif

/* What is exported. camber_launch() returns 0, or a cudaError_t. It is also called while a CUDA
 * graph is recorded, so it must not allocate memory or wait for the device. */
CAMBER_EXPORTED const int camber_launch_version;
CAMBER_EXPORTED const char camber_launch_line[];
CAMBER_EXPORTED int camber_launch(const CamberLaunch* launch);

/* Stands before the function's body. */
#define CAMBER_LAUNCH(line)                                  \
    const int camber_launch_version = CAMBER_LAUNCH_VERSION; \
    const char camber_launch_line[] = line;                  \
    int camber_launch(const CamberLaunch* launch)

#endif
