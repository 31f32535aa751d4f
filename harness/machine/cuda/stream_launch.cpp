// Kernel launches of a stream, and the kernel attributes that it queries.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/machine/cuda/runtime_objects.hpp"
#include "harness/machine/cuda/sm_partition.hpp"
#include "harness/machine/cuda/stream.hpp"

namespace camber::cuda {

namespace {

dim3 dimensions(const Extent& extent) {
    return {extent.x, extent.y, extent.z};
}

}  // namespace

std::vector<KernelFacts> Stream::take_kernel_facts() {
    std::vector<KernelFacts> facts;
    for (auto& [kernel, fact] : std::exchange(facts_, {})) facts.push_back(std::move(fact));
    return facts;
}

KernelFacts Stream::facts_of(const char* name, const void* kernel, const LaunchShape& shape) const {
    KernelFacts facts;
    facts.name = name;
    std::copy_n(&shape.block.x, 3, facts.block);
    std::copy_n(&shape.grid.x, 3, facts.grid);
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "reading a kernel's attributes");
    const char* symbol = nullptr;
    check(cudaFuncGetName(&symbol, kernel), "reading a kernel's name");
    facts.symbol = symbol;
    facts.address = kernel;
    facts.registers = attributes.numRegs;
    facts.static_shared = attributes.sharedSizeBytes;
    facts.dynamic_shared = shape.dynamic_shared;
    facts.local = attributes.localSizeBytes;
    if (attributes.preferredShmemCarveout >= 0)
        facts.shared_carve_out_percent = attributes.preferredShmemCarveout;
    const int threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                        shape.dynamic_shared),
          "computing a kernel's occupancy");
    const int warp_threads = (threads + 31) / 32 * 32;
    facts.occupancy = static_cast<double>(blocks * warp_threads) /
                      attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device_);
    return facts;
}

namespace {

// CUDA C++ Programming Guide, "Shared Memory": a kernel that uses more must opt in.
constexpr std::size_t dynamic_shared_without_asking = 48 * 1024;

int percentage(CarveOut carve_out) {
    switch (carve_out) {
        case CarveOut::l1:
            return cudaSharedmemCarveoutMaxL1;
        case CarveOut::shared:
            return cudaSharedmemCarveoutMaxShared;
        case CarveOut::driver:
            break;
    }
    return cudaSharedmemCarveoutDefault;
}

// Returns true if a kernel can wait for the preceding launch: its code was compiled for an
// architecture that has the instruction.
bool can_wait(const void* kernel) {
    constexpr int least = 90;
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "reading a kernel's attributes");
    return attributes.ptxVersion >= least && attributes.binaryVersion >= least;
}

// Launches in clusters, and early, if the shape says so.
cudaError_t launch_kernel(const void* kernel, const LaunchShape& shape, void** arguments,
                          cudaStream_t stream) {
    const dim3 grid = dimensions(shape.grid);
    const dim3 block = dimensions(shape.block);
    if (shape.cooperative)
        return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shape.dynamic_shared,
                                           stream);
    if (shape.cluster.count() == 1 && !shape.early)
        return cudaLaunchKernel(kernel, grid, block, arguments, shape.dynamic_shared, stream);
    cudaLaunchAttribute attributes[2] = {};
    unsigned count = 0;
    if (shape.cluster.count() > 1) {
        cudaLaunchAttribute& cluster = attributes[count++];
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = shape.cluster.x;
        cluster.val.clusterDim.y = shape.cluster.y;
        cluster.val.clusterDim.z = shape.cluster.z;
    }
    if (shape.early) {
        cudaLaunchAttribute& early = attributes[count++];
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shape.dynamic_shared;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = count;
    return cudaLaunchKernelExC(&config, kernel, arguments);
}

}  // namespace

void Stream::launch(const char* kernel_name, const void* kernel, const LaunchShape& asked,
                    void** arguments) {
    use_device();
    LaunchShape shape = asked;
    if (shape.early) {
        const auto [known, is_new] = main_.can_wait_.try_emplace(kernel);
        if (is_new) known->second = can_wait(kernel);
        shape.early = known->second;
    }
    const bool known = std::any_of(main_.facts_.begin(), main_.facts_.end(),
                                   [&](const auto& known) { return known.first == kernel; });
    // The carve-out is a kernel attribute, which another variant may have changed.
    CarveOut& carve_out = main_.carve_outs_[kernel];
    if (carve_out != shape.carve_out) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   percentage(shape.carve_out)),
              "dividing the memory between L1 and shared memory");
        carve_out = shape.carve_out;
    }
    if (!known) {
        if (shape.dynamic_shared > dynamic_shared_without_asking)
            check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shape.dynamic_shared)),
                  "asking for more dynamic shared memory");
        main_.facts_.emplace_back(kernel, facts_of(kernel_name, kernel, shape));
    }
    watch_launch();  // first, because a full queue makes the launch wait
    const cudaError_t result = launch_kernel(kernel, shape, arguments, stream(stream_));
    if (result == cudaErrorCooperativeLaunchTooLarge) {
        cudaGetLastError();  // clears the error; a refused launch has no other effect
        throw Error(ExitCode::unavailable,
                    fmt::format("{} ({}) has {} blocks that wait for each other, but this device "
                                "holds {} of them at once: launch no more and let each do more",
                                label(), kernel_name,
                                std::size_t{shape.grid.x} * shape.grid.y * shape.grid.z,
                                resident_blocks(kernel, shape)));
    }
    // Composes the message only on failure: string work would delay the launches of short kernels.
    if (result != cudaSuccess) check(result, "launching " + label() + " (" + kernel_name + ")");
}

}  // namespace camber::cuda
