// Reductions and selections by CUB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace camber::cuda {

// Gives device memory of at least that many bytes, which no other call uses before the work that is
// enqueued with it has ended.
using Scratch = std::function<void*(std::size_t bytes)>;

// Enqueue on `stream` (a cudaStream_t) what Queue's functions of the same names say.
void minimum(void* stream, const Scratch& scratch, const float* values, std::size_t count,
             float* least);
void minimum(void* stream, const Scratch& scratch, const double* values, std::size_t count,
             double* least);
void select(void* stream, const Scratch& scratch, const std::uint8_t* flags, std::size_t count,
            std::int32_t* indices, std::int32_t* selected);

}  // namespace camber::cuda
