#include "harness/machine/cuda/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/machine/cuda/runtime_objects.hpp"
#include "harness/machine/cuda/stream_kernels.hpp"

namespace camber::cuda {

namespace {

// Kernel errors that all later calls of the process return as well ("CUDA Runtime API, Data types
// used by CUDA Runtime": the process must be terminated and relaunched).
bool is_crash(cudaError_t result) {
    switch (result) {
        case cudaErrorIllegalAddress:
        case cudaErrorIllegalInstruction:
        case cudaErrorMisalignedAddress:
        case cudaErrorInvalidAddressSpace:
        case cudaErrorInvalidPc:
        case cudaErrorHardwareStackError:
        case cudaErrorLaunchFailure:
        case cudaErrorAssert:
            return true;
        default:
            return false;
    }
}

}  // namespace

void check(cudaError_t result, std::string_view action) {
    if (result == cudaSuccess) return;
    if (is_crash(result))
        throw DeviceLost(
            fmt::format("a kernel crashed on the GPU, as CUDA says while {}: {} ({}, "
                        "error {}); run it under compute-sanitizer",
                        action, cudaGetErrorString(result), cudaGetErrorName(result),
                        static_cast<int>(result)));
    throw Error(ExitCode::unavailable,
                fmt::format("CUDA failed while {}: {} ({}, error {}); run it under "
                            "compute-sanitizer",
                            action, cudaGetErrorString(result), cudaGetErrorName(result),
                            static_cast<int>(result)),
                Remedy::another_device);
}

Stream::Stream(int device, int sms) : Queue(Backend::cuda), device_(device) {
    check(cudaSetDevice(device), fmt::format("opening device {}", device));
    if (sms > 0) partition_.emplace(device, sms);
    open(0);
    most_idle_bytes_ = limits().total_memory / 4;
}

// Runs on the partition of `main`, if it has one, as this thread has entered it.
Stream::Stream(Stream* main) : Queue(Backend::cuda), main_(main->main_), device_(main->device_) {
    set_label(main->label());
    report_beside(*main);
    // Gives the additional stream a higher priority than the queue's own, because others wait for
    // its work, such as the edges of a board: its blocks run before waiting blocks of the queue.
    int least = 0;
    int first = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &first), "asking for priorities of streams");
    open(first);
}

void Stream::open(int priority) {
    use_device();
    cudaStream_t opened = nullptr;
    check(cudaStreamCreateWithPriority(&opened, cudaStreamNonBlocking, priority),
          "creating a stream");
    stream_ = opened;
    set_native_stream({stream_, device_});
    cudaEvent_t created = nullptr;
    check(cudaEventCreate(&created), "creating an event");
    start_ = created;
    check(cudaEventCreate(&created), "creating an event");
    stop_ = created;
}

Stream::~Stream() {
    evictor_ = Memory();  // while the device is still in use
    scratch_ = Memory();
    kept_.clear();
    free_idle();
    cudaEventDestroy(event(start_));
    cudaEventDestroy(event(stop_));
    if (waking_) cudaEventDestroy(event(waking_));
    cudaStreamDestroy(stream(stream_));
}

void Stream::use_device() const {
    int current = -1;
    check(cudaGetDevice(&current), "asking for the device in use");
    // Within a partition, its device is already current, and setting it again would leave the
    // partition.
    if (current != device_) check(cudaSetDevice(device_), "turning to a device");
}

DeviceLimits Stream::limits() const {
    use_device();
    DeviceLimits limits;
    limits.compute_capability = 10 * attribute(cudaDevAttrComputeCapabilityMajor, device_) +
                                attribute(cudaDevAttrComputeCapabilityMinor, device_);
    limits.threads_per_block = attribute(cudaDevAttrMaxThreadsPerBlock, device_);
    limits.shared_bytes_per_block =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    check(cudaMemGetInfo(&limits.available_memory, &limits.total_memory),
          "asking for the device's free memory");
    limits.available_memory += idle_bytes_;
    return limits;
}

void* Stream::allocate(std::size_t bytes) {
    use_device();
    if (const auto idle = idle_.find(bytes); idle != idle_.end()) {
        void* const memory = idle->second;
        idle_.erase(idle);
        idle_bytes_ -= bytes;
        allocated_[memory] = bytes;
        return memory;
    }
    void* memory = nullptr;
    cudaError_t result = cudaMalloc(&memory, bytes);
    if (result == cudaErrorMemoryAllocation && !idle_.empty()) {
        cudaGetLastError();
        free_idle();
        result = cudaMalloc(&memory, bytes);
    }
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();  // clears the error; a failed allocation has no other effect
        report_memory_shortage("one field on the device", bytes, limits().available_memory);
    }
    check(result, "allocating memory");
    allocated_[memory] = bytes;
    return memory;
}

void Stream::release(void* memory) noexcept {
    const auto found = allocated_.find(memory);
    if (found == allocated_.end()) return;
    const std::size_t bytes = found->second;
    allocated_.erase(found);
    // Limits idle memory, because profilers need memory, too.
    if (idle_bytes_ + bytes <= most_idle_bytes_) {
        idle_.emplace(bytes, memory);
        idle_bytes_ += bytes;
        return;
    }
    cudaFree(memory);
}

void Stream::free_idle() noexcept {
    for (const auto& [bytes, memory] : idle_) cudaFree(memory);
    idle_.clear();
    idle_bytes_ = 0;
}

void* Stream::scratch(std::size_t bytes) {
    if (bytes > scratch_bytes_) {
        scratch_ = Memory(*this, bytes);
        scratch_bytes_ = bytes;
    }
    return scratch_.get();
}

void Stream::minimum(const float* values, std::size_t count, float* least) {
    use_device();
    cuda::minimum(
        stream_, [this](std::size_t bytes) { return scratch(bytes); }, values, count, least);
}

void Stream::minimum(const double* values, std::size_t count, double* least) {
    use_device();
    cuda::minimum(
        stream_, [this](std::size_t bytes) { return scratch(bytes); }, values, count, least);
}

void Stream::select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                    std::int32_t* selected) {
    use_device();
    cuda::select(
        stream_, [this](std::size_t bytes) { return scratch(bytes); }, flags, count, indices,
        selected);
}

bool Stream::keep(std::span<const std::byte> memory) {
    use_device();
    // Caches only small data, as the variants' fields have priority.
    if (memory.empty() || memory.size() > limits().available_memory / 8) return false;
    Copy copy{memory, Memory(*this, memory.size())};
    check(cudaMemcpyAsync(copy.device.get(), memory.data(), memory.size(), cudaMemcpyHostToDevice,
                          stream(stream_)),
          "copying a field to the device");
    synchronize();
    kept_.push_back(std::move(copy));
    return true;
}

void Stream::let_go(std::span<const std::byte> memory) noexcept {
    std::erase_if(kept_, [&](const Copy& copy) { return copy.host.data() == memory.data(); });
}

const std::byte* Stream::kept(const void* host) const {
    const auto* const address = static_cast<const std::byte*>(host);
    for (const Copy& copy : kept_)
        if (std::greater_equal<>{}(address, copy.host.data()) &&
            std::less<>{}(address, copy.host.data() + copy.host.size()))
            return static_cast<const std::byte*>(copy.device.get()) + (address - copy.host.data());
    return nullptr;
}

std::optional<FieldDifference> Stream::compare(const CellsView& actual,
                                               std::span<const std::byte> expected,
                                               ElementType element, Size size,
                                               const CellLimits& limits) {
    use_device();
    const std::byte* const copy = kept(expected.data());
    if (!copy) return std::nullopt;
    const WatchedWait watched;
    return cuda::compare(stream_, scratch(comparison_bytes()), actual.cells, actual.pitch, copy,
                         element, size, limits);
}

void Stream::pin(std::span<std::byte> memory) {
    // Ignores errors: pinning only makes transfers faster.
    if (cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError();
}

void Stream::unpin(std::span<std::byte> memory) noexcept {
    if (cudaHostUnregister(memory.data()) != cudaSuccess) cudaGetLastError();
}

void Stream::finish(HostWait wait) {
    refuse_to_record_transfer(stream_);
    const WatchedWait watched;
    if (wait == HostWait::driver)
        return check(cudaStreamSynchronize(stream(stream_)), "running " + label());
    if (wait == HostWait::busy) {
        cudaError_t state = cudaErrorNotReady;
        while ((state = cudaStreamQuery(stream(stream_))) == cudaErrorNotReady) {
        }
        // Clears the error that the event was not ready.
        if (state == cudaSuccess) cudaGetLastError();
        return check(state, "running " + label());
    }
    use_device();
    if (!waking_) {
        cudaEvent_t created = nullptr;
        check(cudaEventCreateWithFlags(&created, cudaEventBlockingSync | cudaEventDisableTiming),
              "creating an event");
        waking_ = created;
    }
    check(cudaEventRecord(event(waking_), stream(stream_)), "recording an event");
    check(cudaEventSynchronize(event(waking_)), "running " + label());
}

double Stream::time(const std::function<void()>& enqueue) {
    use_device();
    check(cudaEventRecord(event(start_), stream(stream_)), "recording an event");
    enqueue();
    check(cudaEventRecord(event(stop_), stream(stream_)), "recording an event");
    {
        const WatchedWait watched;
        check(cudaEventSynchronize(event(stop_)), "running " + label());
    }
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, event(start_), event(stop_)), "reading the events");
    return milliseconds * 1e-3;
}

namespace {

class Graph final : public Recording {
  public:
    Graph(cudaGraph_t graph, cudaStream_t stream) : stream_(stream) {
        // Kernels keep the priority of the stream on which they were recorded. Without this flag,
        // they would have the priority of the replaying stream, and edge transfers would wait for
        // the middle.
        const cudaError_t result =
            cudaGraphInstantiate(&executable_, graph, cudaGraphInstantiateFlagUseNodePriority);
        cudaGraphDestroy(graph);
        check(result, "instantiating a CUDA graph");
        check(cudaGraphUpload(executable_, stream_), "uploading a CUDA graph");
    }
    ~Graph() override { cudaGraphExecDestroy(executable_); }
    void replay() override {
        watch_launch();
        check(cudaGraphLaunch(executable_, stream_), "launching a CUDA graph");
    }

  private:
    cudaStream_t stream_;
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

std::unique_ptr<Recording> Stream::record(const std::function<void()>& enqueue) {
    use_device();
    // Relaxed mode, because a kernel's first launch may load its module.
    check(cudaStreamBeginCapture(stream(stream_), cudaStreamCaptureModeRelaxed),
          "recording a CUDA graph");
    cudaGraph_t graph = nullptr;
    try {
        enqueue();
    } catch (...) {
        cudaStreamEndCapture(stream(stream_), &graph);
        if (graph) cudaGraphDestroy(graph);
        throw;
    }
    check(cudaStreamEndCapture(stream(stream_), &graph), "recording a CUDA graph");
    return std::make_unique<Graph>(graph, stream(stream_));
}

void Stream::evict_caches() {
    use_device();
    if (!evictor_.get()) {
        const auto l2 = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize, device_));
        evictor_bytes_ = evictor_size(l2);
        evictor_ = Memory(*this, evictor_bytes_);
        check(cudaMemsetAsync(evictor_.get(), 0, evictor_bytes_, stream(stream_)),
              "filling the memory that empties the caches");
    }
    cuda::evict(stream_, evictor_.get(), evictor_bytes_);
}

}  // namespace camber::cuda
