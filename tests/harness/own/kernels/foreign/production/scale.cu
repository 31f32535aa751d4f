// An application's own source, which no line of camber's is written into.
#pragma once
#include <cstdio>

#include "factor.h"
#define BLOCK 256

__global__ void scale(const float* a, float* b, int n) {
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) b[i] = GAIN * FACTOR * a[i];
}

int main() {
    scale<<<1, BLOCK>>>(nullptr, nullptr, 0);
    return cudaDeviceSynchronize();
}
