#include "harness/cuda/stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "harness/backend/host_memory.hpp"
#include "harness/backend/not_recordable.hpp"
#include "harness/base/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/compare.hpp"
#include "harness/cuda/delivery.hpp"
#include "harness/cuda/evict.hpp"
#include "harness/cuda/fill.hpp"
#include "harness/cuda/library.hpp"
#include "harness/cuda/resident_blocks.hpp"

namespace camber::cuda {

namespace {

cudaStream_t stream(void* handle) {
    return static_cast<cudaStream_t>(handle);
}
cudaEvent_t event(void* handle) {
    return static_cast<cudaEvent_t>(handle);
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "reading the device's attributes");
    return value;
}

dim3 dimensions(const Extent& extent) {
    return {extent.x, extent.y, extent.z};
}

bool records(void* handle) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream(handle), &status), "asking whether a stream records");
    return status != cudaStreamCaptureStatusNone;
}

// A transfer waits for the stream, which does not run while it records.
void refuse_to_record_transfer(void* handle) {
    if (records(handle)) throw NotRecordable();
}

bool is_pinned(const void* host) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, host), "asking whether memory is pinned");
    return attributes.type != cudaMemoryTypeUnregistered;
}

// `host`: the one of both that is the host's. The host itself copies what is not pinned.
void start_copy(void* handle, void* to, std::size_t to_pitch, const void* from,
                std::size_t from_pitch, Rectangle shape, const void* host, cudaMemcpyKind kind) {
    if (records(handle) && !is_pinned(host)) throw NotRecordable();
    check(shape.rows == 1 ? cudaMemcpyAsync(to, from, shape.width, kind, stream(handle))
                          : cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, shape.width,
                                              shape.rows, kind, stream(handle)),
          "copying between host and device");
}

class StreamEvent final : public Event {
  public:
    StreamEvent() {
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    }
    ~StreamEvent() override { cudaEventDestroy(event); }
    cudaEvent_t event = nullptr;
};

}  // namespace

void check(cudaError_t result, std::string_view action) {
    if (result == cudaSuccess) return;
    throw Error(ExitCode::unavailable,
                fmt::format("CUDA failed while {}: {} ({}, error {}); run it under "
                            "compute-sanitizer",
                            action, cudaGetErrorString(result), cudaGetErrorName(result),
                            static_cast<int>(result)),
                Remedy::another_device);
}

Stream::Stream(int device, int sms) : device_(device) {
    check(cudaSetDevice(device), fmt::format("opening device {}", device));
    if (sms > 0) partition_.emplace(device, sms);
    open();
    most_idle_bytes_ = limits().total_memory / 4;
}

// On the partition of `main`, if it has one: that is what this thread has entered.
Stream::Stream(Stream* main) : main_(main->main_), device_(main->device_) {
    set_label(main->label());
    report_beside(*main);
    open();
}

void Stream::open() {
    use_device();
    cudaStream_t opened = nullptr;
    check(cudaStreamCreateWithFlags(&opened, cudaStreamNonBlocking), "creating a stream");
    stream_ = opened;
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
    cudaStreamDestroy(stream(stream_));
}

void Stream::use_device() const {
    int current = -1;
    check(cudaGetDevice(&current), "asking for the device in use");
    // Within a partition the device in use is its own, and setting it would leave the partition.
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
        cudaGetLastError();  // an allocation that fails leaves nothing else behind
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
    // Profilers need memory, too.
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

void Stream::fill(void* memory, std::size_t count, std::span<const std::byte> value) {
    use_device();
    cuda::fill(stream_, memory, count, value);
}

void Stream::fill_bytes(std::span<const ByteArea> areas, std::byte value) {
    use_device();
    if (areas.size() != 1 || areas.front().pieces != 1)
        return cuda::fill_bytes(stream_, areas, value);
    const ByteArea& area = areas.front();
    check(cudaMemset2DAsync(area.first, area.pitch, std::to_integer<int>(value), area.width,
                            area.rows, stream(stream_)),
          "poisoning a field");
}

void Stream::upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    Rectangle shape) {
    use_device();
    refuse_to_record_transfer(stream_);
    if (const std::byte* const copy = kept(from)) {
        check(cudaMemcpy2DAsync(to, to_pitch, copy, from_pitch, shape.width, shape.rows,
                                cudaMemcpyDeviceToDevice, stream(stream_)),
              "copying a field on the device");
        return;
    }
    check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, shape.width, shape.rows,
                            cudaMemcpyHostToDevice, stream(stream_)),
          "copying a field to the device");
    synchronize();
}

void Stream::download(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      Rectangle shape) {
    use_device();
    refuse_to_record_transfer(stream_);
    check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, shape.width, shape.rows,
                            cudaMemcpyDeviceToHost, stream(stream_)),
          "copying a field from the device");
    synchronize();
}

void Stream::copy(void* to, const void* from, std::size_t bytes) {
    use_device();
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream(stream_)),
          "copying on the device");
}

void Stream::copy(const Transfer& transfer) {
    use_device();
    check(cudaMemcpy2DAsync(transfer.to, transfer.to_pitch, transfer.from, transfer.from_pitch,
                            transfer.shape.width, transfer.shape.rows, cudaMemcpyDefault,
                            stream(stream_)),
          "copying between devices");
}

void Stream::deliver(std::span<const Transfer> transfers, std::uint32_t* arrivals,
                     std::uint32_t* done) {
    use_device();
    cuda::deliver(stream_, transfers, arrivals, done);
}

void Stream::await(const std::uint32_t* arrivals, std::uint32_t* taken) {
    use_device();
    cuda::await(stream_, arrivals, taken);
}

void Stream::start_upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                          Rectangle shape) {
    use_device();
    start_copy(stream_, to, to_pitch, from, from_pitch, shape, from, cudaMemcpyHostToDevice);
}

void Stream::start_download(void* to, std::size_t to_pitch, const void* from,
                            std::size_t from_pitch, Rectangle shape) {
    use_device();
    start_copy(stream_, to, to_pitch, from, from_pitch, shape, to, cudaMemcpyDeviceToHost);
}

void* Stream::allocate_pinned(std::size_t bytes) {
    void* memory = nullptr;
    const cudaError_t result = cudaMallocHost(&memory, bytes);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        report_memory_shortage("a pinned buffer of the host", bytes, available_host_memory());
    }
    check(result, "allocating pinned memory");
    return memory;
}

void Stream::release_pinned(void* memory) noexcept {
    cudaFreeHost(memory);
}

std::unique_ptr<Event> Stream::make_event() {
    use_device();
    return std::make_unique<StreamEvent>();
}

void Stream::record(Event& event) {
    use_device();
    check(cudaEventRecord(dynamic_cast<StreamEvent&>(event).event, stream(stream_)),
          "recording an event");
}

void Stream::wait(const Event& event) {
    use_device();
    check(cudaStreamWaitEvent(stream(stream_), dynamic_cast<const StreamEvent&>(event).event, 0),
          "waiting for an event");
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
    // The variants' fields come first.
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
    return cuda::compare(stream_, scratch(comparison_bytes()), actual.cells, actual.pitch, copy,
                         element, size, limits);
}

void Stream::pin(std::span<std::byte> memory) {
    // Pinning only makes transfers faster: where the system refuses, they stay right.
    if (cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault) != cudaSuccess)
        cudaGetLastError();
}

void Stream::unpin(std::span<std::byte> memory) noexcept {
    if (cudaHostUnregister(memory.data()) != cudaSuccess) cudaGetLastError();
}

void Stream::synchronize() {
    refuse_to_record_transfer(stream_);
    check(cudaStreamSynchronize(stream(stream_)), "running " + label());
}

double Stream::time(const std::function<void()>& enqueue) {
    use_device();
    check(cudaEventRecord(event(start_), stream(stream_)), "recording an event");
    enqueue();
    check(cudaEventRecord(event(stop_), stream(stream_)), "recording an event");
    check(cudaEventSynchronize(event(stop_)), "running " + label());
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, event(start_), event(stop_)), "reading the events");
    return milliseconds * 1e-3;
}

namespace {

class Graph final : public Recording {
  public:
    Graph(cudaGraph_t graph, cudaStream_t stream) : stream_(stream) {
        const cudaError_t result = cudaGraphInstantiate(&executable_, graph, 0);
        cudaGraphDestroy(graph);
        check(result, "instantiating a CUDA graph");
        check(cudaGraphUpload(executable_, stream_), "uploading a CUDA graph");
    }
    ~Graph() override { cudaGraphExecDestroy(executable_); }
    void replay() override {
        check(cudaGraphLaunch(executable_, stream_), "launching a CUDA graph");
    }

  private:
    cudaStream_t stream_;
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

std::unique_ptr<Recording> Stream::record(const std::function<void()>& enqueue) {
    use_device();
    // Relaxed, because a kernel's first launch may load its module.
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
        const ByteArea all{evictor_.get(), evictor_bytes_, 1, evictor_bytes_};
        fill_bytes({&all, 1}, std::byte{0});
    }
    cuda::evict(stream_, evictor_.get(), evictor_bytes_);
}

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

// CUDA C++ Programming Guide, "Shared Memory": a kernel that takes more must ask for it.
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

}  // namespace

void Stream::launch(const char* kernel_name, const void* kernel, const LaunchShape& shape,
                    void** arguments) {
    use_device();
    const bool known = std::any_of(main_.facts_.begin(), main_.facts_.end(),
                                   [&](const auto& known) { return known.first == kernel; });
    // An attribute of the kernel, which another variant may have launched with another preference.
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
    const dim3 grid = dimensions(shape.grid);
    const dim3 block = dimensions(shape.block);
    const cudaError_t result =
        shape.cooperative ? cudaLaunchCooperativeKernel(kernel, grid, block, arguments,
                                                        shape.dynamic_shared, stream(stream_))
                          : cudaLaunchKernel(kernel, grid, block, arguments, shape.dynamic_shared,
                                             stream(stream_));
    if (result == cudaErrorCooperativeLaunchTooLarge) {
        cudaGetLastError();  // a launch that is refused leaves nothing else behind
        throw Error(ExitCode::unavailable,
                    fmt::format("{} ({}) has {} blocks that wait for each other, but this device "
                                "holds {} of them at once: launch no more and let each do more",
                                label(), kernel_name,
                                std::size_t{shape.grid.x} * shape.grid.y * shape.grid.z,
                                resident_blocks(kernel, shape)));
    }
    // The sentence is made for a failure only: short kernels wait for their launches.
    if (result != cudaSuccess) check(result, "launching " + label() + " (" + kernel_name + ")");
}

}  // namespace camber::cuda
