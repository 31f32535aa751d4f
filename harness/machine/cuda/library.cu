// Reductions and selections by CUB on a stream.
#include "harness/machine/cuda/stream_kernels.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include "harness/machine/cuda/runtime_objects.hpp"

namespace camber::cuda {

namespace {

// Calls a CUB function twice: without memory, it returns the required size.
template <class Call>
void with_scratch(const Scratch& scratch, const char* action, const Call& call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes), action);
    check(call(scratch(bytes), bytes), action);
}

template <class R>
void reduce(void* stream, const Scratch& scratch, const R* values, std::size_t count, R* least) {
    with_scratch(scratch, "reducing with CUB", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceReduce::Min(memory, bytes, values, least, static_cast<int>(count),
                                      static_cast<cudaStream_t>(stream));
    });
}

}  // namespace

void minimum(void* stream, const Scratch& scratch, const float* values, std::size_t count,
             float* least) {
    reduce(stream, scratch, values, count, least);
}

void minimum(void* stream, const Scratch& scratch, const double* values, std::size_t count,
             double* least) {
    reduce(stream, scratch, values, count, least);
}

void select(void* stream, const Scratch& scratch, const std::uint8_t* flags, std::size_t count,
            std::int32_t* indices, std::int32_t* selected) {
    with_scratch(scratch, "selecting with CUB", [&](void* memory, std::size_t& bytes) {
        return cub::DeviceSelect::Flagged(memory, bytes, thrust::counting_iterator<std::int32_t>(0),
                                          flags, indices, selected, static_cast<int>(count),
                                          static_cast<cudaStream_t>(stream));
    });
}

}  // namespace camber::cuda
