/* Reference of a problem, computed by a shared library: one C function that receives all arrays
 * and computes the outputs. For C and C++; other languages export the two symbols below themselves.
 *
 *     #include <camber/reference.h>
 *
 *     CAMBER_REFERENCE {
 *         const float* x = (const float*)camber_array(problem, "x")->data;
 *         float* y = (float*)camber_array(problem, "y")->data;
 *         for (int64_t i = 0; i < camber_array(problem, "y")->shape[0]; ++i) y[i] += 2 * x[i];
 *         return 0;
 *     }
 *
 * The arrays are those that the `camber:` lines of the tried kernel name. An `inout` array contains
 * its initial values, an `out` array contains no values: the function must write all of them.
 */
#ifndef CAMBER_REFERENCE_H
#define CAMBER_REFERENCE_H

#include <stdint.h>
#include <string.h>

/* Version of this interface. camber refuses a library with another version. */
#define CAMBER_REFERENCE_VERSION 1

typedef struct CamberReferenceArray {
    const char* name;
    const char* type; /* "float32", "uint8x4", "bfloat16", ... */
    int dimensions;   /* 1 to 3 */
    int64_t shape[3]; /* the slowest dimension first, as in NumPy */
    void* data;       /* in C order */
} CamberReferenceArray;

typedef struct CamberReferenceProblem {
    const CamberReferenceArray* arrays;
    int count;
} CamberReferenceProblem;

#ifdef __cplusplus
    #define CAMBER_REFERENCE_EXPORTED extern "C" __attribute__((visibility("default")))
#else
    #define CAMBER_REFERENCE_EXPORTED extern __attribute__((visibility("default")))
#endif

/* Exported symbols. camber_reference() returns 0, or another number for a failure. */
CAMBER_REFERENCE_EXPORTED const int camber_reference_version;
CAMBER_REFERENCE_EXPORTED int camber_reference(const CamberReferenceProblem* problem);

/* Array of that name; a null pointer if there is none. */
static inline const CamberReferenceArray* camber_array(const CamberReferenceProblem* problem,
                                                       const char* name) {
    for (int i = 0; i < problem->count; ++i)
        if (strcmp(problem->arrays[i].name, name) == 0) return &problem->arrays[i];
    return 0;
}

/* Precedes the function's body. */
#define CAMBER_REFERENCE                                           \
    const int camber_reference_version = CAMBER_REFERENCE_VERSION; \
    int camber_reference(const CamberReferenceProblem* problem)

#endif
