// Queue of the `cuda` backend: one stream on one device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/kernel_launch.hpp"
#include "harness/machine/cuda/sm_partition.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

namespace cuda {

class Stream final : public Queue, private PeerOperations, private Algorithms, private HostBuffers {
  public:
    // `device`: CUDA runtime index. `sms`: number of SMs of a partition, 0 for the whole device.
    // Throws Error(unavailable) if the device cannot be used.
    explicit Stream(int device, int sms = 0);
    // Opens a stream beside `main`.
    explicit Stream(Stream* main);
    ~Stream() override;

    DeviceLimits limits() const override;
    void* allocate(std::size_t bytes) override;
    void release(void* memory) noexcept override;
    void fill(void* memory, std::size_t count, std::span<const std::byte> value) override;
    void poison(std::span<const ByteArea> areas, Poison poison) override;
    void transfer(TransferKind kind, const Transfer& transfer) override;
    PeerOperations& peers() override { return *this; }
    Algorithms& algorithms() override { return *this; }
    HostBuffers& host_buffers() override { return *this; }
    std::unique_ptr<Queue> open_beside() override { return std::make_unique<Stream>(this); }
    std::unique_ptr<Event> make_event(bool timed = false) override;
    double seconds_between(const Event& first, const Event& last) override;
    void record(Event& event) override;
    void wait(const Event& event) override;
    void finish(HostWait wait) override;
    double time(const std::function<void()>& enqueue) override;
    std::unique_ptr<Recording> record(const std::function<void()>& enqueue) override;
    void evict_caches() override;
    std::vector<KernelFacts> take_kernel_facts() override;

    // `arguments`: a pointer to each of the kernel's arguments.
    void launch(const char* kernel_name, const void* kernel, const LaunchShape& shape,
                void** arguments);

    void* native() const { return stream_; }  // a cudaStream_t

  private:
    void deliver(std::span<const Transfer> transfers, std::uint32_t* arrivals,
                 std::uint32_t* done) override;
    void await(const std::uint32_t* arrivals, std::uint32_t* taken) override;
    void least_of_places(const PlacesNumber& number) override;
    void minimum(const float* values, std::size_t count, float* least) override;
    void minimum(const double* values, std::size_t count, double* least) override;
    void select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                std::int32_t* selected) override;
    void* allocate_pinned(std::size_t bytes) override;
    void release_pinned(void* memory) noexcept override;
    void pin(std::span<std::byte> memory) override;
    void unpin(std::span<std::byte> memory) noexcept override;
    bool keep(std::span<const std::byte> memory) override;
    void let_go(std::span<const std::byte> memory) noexcept override;
    std::optional<FieldDifference> compare(const CellsView& actual,
                                           std::span<const std::byte> expected, ElementType element,
                                           Size size, const CellLimits& limits) override;

    void open(int priority);
    void upload(const Transfer& transfer);
    // Makes this device current for the calling thread's runtime calls; the thread may have used
    // another device before.
    void use_device() const;
    void* scratch(std::size_t bytes);
    // The queue's copy of the data at this host address; nullptr if none.
    const std::byte* kept(const void* host) const;
    void free_idle() noexcept;
    KernelFacts facts_of(const char* name, const void* kernel, const LaunchShape& shape) const;

    Stream& main_ = *this;  // stores the kernels' facts
    int device_;
    std::optional<SmPartition> partition_;  // entered before anything is created, left last
    void* stream_ = nullptr;
    void* start_ = nullptr;  // events around timed work
    void* stop_ = nullptr;
    void* waking_ = nullptr;  // an event that wakes the host thread; nullptr until one is needed
    Memory evictor_;          // larger than L2; empty until needed
    std::size_t evictor_bytes_ = 0;
    Memory scratch_;  // for library calls; as large as the largest request so far
    std::size_t scratch_bytes_ = 0;
    struct Copy {
        std::span<const std::byte> host;
        Memory device;
    };
    std::vector<Copy> kept_;
    // Released memory by size, because cases of a study request the same sizes again.
    std::multimap<std::size_t, void*> idle_;
    std::size_t idle_bytes_ = 0;
    std::size_t most_idle_bytes_ = 0;
    std::map<void*, std::size_t> allocated_;  // bytes
    std::vector<std::pair<const void*, KernelFacts>> facts_;
    std::map<const void*, CarveOut> carve_outs_;  // carve-out of each kernel's last launch
    // For each kernel: true if it can wait for the previous launch.
    std::map<const void*, bool> can_wait_;
};

}  // namespace cuda
}  // namespace camber
