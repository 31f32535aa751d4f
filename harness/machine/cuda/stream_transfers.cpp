// Data movement of a stream: fills, transfers and rows for other devices, with events for order.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "harness/base/process.hpp"
#include "harness/machine/cuda/handles.hpp"
#include "harness/machine/cuda/stream.hpp"
#include "harness/machine/cuda/stream_kernels.hpp"

namespace camber::cuda {

namespace {

bool is_pinned(const void* host) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, host), "asking whether memory is pinned");
    return attributes.type != cudaMemoryTypeUnregistered;
}

// `host`: the host address among `to` and `from`. The host itself copies pageable memory, which
// cannot be recorded.
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
    explicit StreamEvent(unsigned flags) {
        check(cudaEventCreateWithFlags(&event, flags), "creating an event");
    }
    ~StreamEvent() override { cudaEventDestroy(event); }
    cudaEvent_t event = nullptr;
};

}  // namespace

void Stream::fill(void* memory, std::size_t count, std::span<const std::byte> value) {
    use_device();
    cuda::fill(stream_, memory, count, value);
}

void Stream::poison(std::span<const ByteArea> areas, Poison poison) {
    use_device();
    cuda::poison(stream_, areas, poison);
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

void Stream::least_of_places(const PlacesNumber& number) {
    use_device();
    cuda::least_of_places(stream_, number);
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
    return std::make_unique<StreamEvent>(cudaEventDisableTiming);
}

std::unique_ptr<Event> Stream::make_timed_event() {
    use_device();
    return std::make_unique<StreamEvent>(cudaEventDefault);
}

double Stream::seconds_between(const Event& first, const Event& last) {
    use_device();
    refuse_to_record_transfer(stream_);
    const auto event = [](const Event& of) { return dynamic_cast<const StreamEvent&>(of).event; };
    check(cudaEventSynchronize(event(last)), "waiting for an event");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, event(first), event(last)), "reading the events");
    return milliseconds * 1e-3;
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

}  // namespace camber::cuda
