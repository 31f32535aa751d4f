// Data movement of a stream: fills, transfers and rows for other devices, with events for order.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "harness/base/process.hpp"
#include "harness/machine/cuda/runtime_objects.hpp"
#include "harness/machine/cuda/stream.hpp"
#include "harness/machine/cuda/stream_kernels.hpp"

namespace camber::cuda {

namespace {

bool is_pinned(const void* host) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, host), "asking whether memory is pinned");
    return attributes.type != cudaMemoryTypeUnregistered;
}

// `host`: the host address of the transfer. The host itself copies pageable memory, which cannot be
// recorded.
void start_copy(void* handle, const Transfer& transfer, const void* host, cudaMemcpyKind kind) {
    if (records(handle) && !is_pinned(host)) throw NotRecordable();
    check(
        transfer.shape.rows == 1
            ? cudaMemcpyAsync(transfer.to, transfer.from, transfer.shape.width, kind,
                              stream(handle))
            : cudaMemcpy2DAsync(transfer.to, transfer.to_pitch, transfer.from, transfer.from_pitch,
                                transfer.shape.width, transfer.shape.rows, kind, stream(handle)),
        "copying between host and device");
}

cudaError_t copy_rows(void* handle, const Transfer& transfer, cudaMemcpyKind kind) {
    return cudaMemcpy2DAsync(transfer.to, transfer.to_pitch, transfer.from, transfer.from_pitch,
                             transfer.shape.width, transfer.shape.rows, kind, stream(handle));
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

void Stream::transfer(TransferKind kind, const Transfer& transfer) {
    use_device();
    switch (kind) {
        case TransferKind::upload:
            return upload(transfer);
        case TransferKind::download:
            refuse_to_record_transfer(stream_);
            check(copy_rows(stream_, transfer, cudaMemcpyDeviceToHost),
                  "copying a field from the device");
            return synchronize();
        case TransferKind::start_upload:
            return start_copy(stream_, transfer, transfer.from, cudaMemcpyHostToDevice);
        case TransferKind::start_download:
            return start_copy(stream_, transfer, transfer.to, cudaMemcpyDeviceToHost);
        case TransferKind::copy:
            return check(cudaMemcpyAsync(transfer.to, transfer.from, transfer.shape.width,
                                         cudaMemcpyDeviceToDevice, stream(stream_)),
                         "copying on the device");
        case TransferKind::peer_copy:
            return check(copy_rows(stream_, transfer, cudaMemcpyDefault),
                         "copying between devices");
    }
}

void Stream::upload(const Transfer& transfer) {
    refuse_to_record_transfer(stream_);
    if (const std::byte* const copy = kept(transfer.from)) {
        Transfer on_device = transfer;
        on_device.from = copy;
        return check(copy_rows(stream_, on_device, cudaMemcpyDeviceToDevice),
                     "copying a field on the device");
    }
    check(copy_rows(stream_, transfer, cudaMemcpyHostToDevice), "copying a field to the device");
    synchronize();
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

std::unique_ptr<Event> Stream::make_event(bool timed) {
    use_device();
    return std::make_unique<StreamEvent>(timed ? cudaEventDefault : cudaEventDisableTiming);
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
