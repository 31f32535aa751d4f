// Interface of an in-order work queue of one backend: its memory, its transfers, its clock. Kernel
// launches go through launch() (harness/machine/kernel/launch.hpp), which uses the queue's concrete
// type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/poison.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/queue/cell_difference.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/record/conditions.hpp"

namespace camber {

// Thrown by a recording queue for work that cannot be replayed: the host requested data between two
// launches, or provided some.
class NotRecordable final : public Unsupported {
  public:
    NotRecordable()
        : Unsupported("its host takes part between launches, and a recording has launches only",
                      Remedy::no_graph) {}
};

// How the host waits for a device.
enum class HostWait : std::uint8_t {
    driver,    // the driver's default
    blocking,  // the host thread sleeps until the device wakes it
    busy,      // the host thread polls
};

std::string_view name(HostWait wait);
HostWait host_wait_named(std::string_view name);  // throws Error(usage) for an unknown name

// Device limits, which determine if a variant can run.
struct DeviceLimits {
    int compute_capability = 0;              // 10 * major + minor
    int threads_per_block = 0;               // maximum per block
    std::size_t shared_bytes_per_block = 0;  // maximum per block, opt-in included
    std::size_t total_memory = 0;            // bytes
    std::size_t available_memory = 0;        // bytes
};

// Properties of a kernel that the compiler and the launch determined. Zero if the backend cannot
// report them.
struct KernelFacts {
    std::string name;
    std::string symbol;             // mangled name, as in profilers and disassemblers
    const void* address = nullptr;  // address in the file that contains its machine code
    unsigned block[3] = {1, 1, 1};
    unsigned grid[3] = {1, 1, 1};
    int registers = 0;              // per thread
    std::size_t static_shared = 0;  // bytes per block
    std::size_t dynamic_shared = 0;
    std::size_t local = 0;  // bytes per thread: spills and indexed arrays
    double occupancy = 0;   // theoretical: resident warps / maximum warps of the SM
    // Preferred shared-memory carve-out in percent of the SM's memory, as the device reports it;
    // nullopt if the driver chooses. `occupancy` applies to this carve-out.
    std::optional<int> shared_carve_out_percent;
};

// Location of a field's cells in a queue's memory.
struct CellsView {
    const void* cells = nullptr;  // row 0, column 0
    std::size_t pitch = 0;        // bytes from row to row
};

struct Rectangle {
    std::size_t width = 0;  // bytes per row
    std::size_t rows = 0;
};

// Rows of bytes in a queue's memory, or of pieces with gaps between them, such as one member of an
// array of structures. The area and every piece begin at the first byte of an element.
struct ByteArea {
    void* first = nullptr;
    std::size_t pitch = 0;  // bytes from row to row
    std::size_t rows = 0;
    std::size_t width = 0;                     // bytes per piece
    std::size_t pieces = 1;                    // per row
    std::size_t stride = 0;                    // bytes from piece to piece
    ElementType element = ElementType::uint8;  // determines the poison pattern
    // Name of the field whose cells these are, if the next launch must write all of them; nullptr
    // if it may leave some of the memory unwritten.
    const char* output = nullptr;
};

// Copy of rows from one rectangle of memory to another. Pitches in bytes.
struct Transfer {
    void* to = nullptr;
    std::size_t to_pitch = 0;
    const void* from = nullptr;
    std::size_t from_pitch = 0;
    Rectangle shape;
};

// Direction of a transfer, and whether the host waits for its completion.
enum class TransferKind : std::uint8_t {
    upload,          // from the host; returns when the host memory may be reused
    download,        // to the host; returns when the data have arrived
    start_upload,    // from the host; the memory must not change until the transfer is complete
    start_download,  // to the host; likewise
    copy,            // within the queue's memory
    peer_copy,       // between the memories of any queues of a group
};

// One number on each device of a group.
struct PlacesNumber {
    void* number = nullptr;  // 4 or 8 bytes, aligned to their size; neither NaN nor negative
    int words = 1;           // its size in 4-byte words
    int place = 0;           // device of this number
    int places = 1;
    // Slots of every device, in that device's memory, initially all 0. One store writes a word
    // together with the round that it belongs to. Slots form 2 sets, used in turn, with a row for
    // each device and a pair for each word.
    std::uint64_t* const* slots = nullptr;
    std::uint32_t* turn = nullptr;  // number of rounds so far, initially 0

    std::size_t slot_bytes() const {
        return sizeof(std::uint64_t) * 2 * static_cast<std::size_t>(places * words);
    }
    // Index in a device's slots of one word that another device sent.
    CAMBER_HD std::size_t slot(std::uint32_t time, int from, int word) const {
        return (static_cast<std::size_t>(time % 2) * static_cast<std::size_t>(places) +
                static_cast<std::size_t>(from)) *
                   static_cast<std::size_t>(words) +
               static_cast<std::size_t>(word);
    }
};

// Work that was enqueued once and can be replayed as a whole (a CUDA graph).
class Recording {
  public:
    virtual ~Recording() = default;
    // Enqueues the work again. It accesses the same memory as when it was recorded.
    virtual void replay() = 0;
};

// A point in a queue's work that other queues can wait for.
class Event {
  public:
    virtual ~Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

  protected:
    Event() = default;
};

// Stores into the memory of other devices, and waits for such stores.
class PeerOperations {
  public:
    // Copies by a kernel's own stores, then adds 1 to `arrivals`, in whichever device's memory it
    // is. At most 8 transfers, to devices with accessible memory. `done`: a block counter for the
    // kernel in this queue's memory, 0 before and after.
    virtual void deliver(std::span<const Transfer> transfers, std::uint32_t* arrivals,
                         std::uint32_t* done) = 0;
    // Delays work enqueued from now on until `arrivals` exceeds `taken`, then increments `taken`.
    // Both are in this queue's memory and initially 0. The host does not wait. If the arrival never
    // happens, the work fails with an error after some seconds.
    virtual void await(const std::uint32_t* arrivals, std::uint32_t* taken) = 0;
    // Replaces each device's number by the minimum of all devices' numbers. Must be called for
    // every device's queue, with its own number. All memory but the other devices' slots is this
    // queue's. The host does not wait. If a number never arrives, the work fails with an error
    // after some seconds.
    virtual void least_of_places(const PlacesNumber& number) = 0;

  protected:
    ~PeerOperations() = default;
};

// Library algorithms; all memory is the queue's.
class Algorithms {
  public:
    // Minimum of `count` values, at least one, none of them NaN.
    virtual void minimum(const float* values, std::size_t count, float* least) = 0;
    virtual void minimum(const double* values, std::size_t count, double* least) = 0;
    // Indices of the nonzero flags, ascending, and their number.
    virtual void select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                        std::int32_t* selected) = 0;

  protected:
    ~Algorithms() = default;
};

// Host memory that a queue reads and writes fast, and cached device copies of host memory.
class HostBuffers {
  public:
    // Allocates page-locked host memory. Throws Error(unavailable) if there is too little.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) noexcept = 0;
    // Pins a region of host memory to make transfers fast, until unpin(). Never fails.
    virtual void pin(std::span<std::byte>) {}
    virtual void unpin(std::span<std::byte>) noexcept {}
    // Caches a device copy of host memory that must not change until let_go(): uploads from it then
    // run on the device, and compare() can use it. Returns false if the queue has no memory to
    // spare, or needs no copy because it uses host memory.
    virtual bool keep(std::span<const std::byte>) { return false; }
    virtual void let_go(std::span<const std::byte>) noexcept {}
    // Compares cells in the queue's memory with contiguous expected ones in host memory, after all
    // work enqueued so far. nullopt if that needs a cached copy that does not exist.
    virtual std::optional<FieldDifference> compare(const CellsView& actual,
                                                   std::span<const std::byte> expected,
                                                   ElementType element, Size size,
                                                   const CellLimits& limits) = 0;

  protected:
    ~HostBuffers() = default;
};

class Queue {
  public:
    virtual ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    Backend backend() const { return backend_; }
    virtual DeviceLimits limits() const = 0;

    // Allocates memory with at least 256-byte alignment. Throws Error(unavailable) with the needed
    // and the available bytes.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;

    // Writes `value` (1, 2, 4, 8 or 16 bytes) `count` times.
    virtual void fill(void* memory, std::size_t count, std::span<const std::byte> value) = 0;
    // Poisons some areas; a checker treats their bytes as never written. Poisoning all areas costs
    // about as much as poisoning one, as launch overhead dominates.
    virtual void poison(std::span<const ByteArea> areas, Poison poison) = 0;
    virtual void transfer(TransferKind kind, const Transfer& transfer) = 0;
    // Host memory may be pageable; both functions return when it may be reused.
    void upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                Rectangle shape) {
        transfer(TransferKind::upload, {to, to_pitch, from, from_pitch, shape});
    }
    void download(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                  Rectangle shape) {
        transfer(TransferKind::download, {to, to_pitch, from, from_pitch, shape});
    }
    // Only with pinned memory do the calls certainly return before the transfers are complete.
    void start_upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      Rectangle shape) {
        transfer(TransferKind::start_upload, {to, to_pitch, from, from_pitch, shape});
    }
    void start_download(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        Rectangle shape) {
        transfer(TransferKind::start_download, {to, to_pitch, from, from_pitch, shape});
    }
    void copy(void* to, const void* from, std::size_t bytes) {
        transfer(TransferKind::copy, {to, bytes, from, bytes, {bytes, 1}});
    }
    // Copies between the memories of any queues of a group.
    void copy(const Transfer& rows) { transfer(TransferKind::peer_copy, rows); }

    virtual PeerOperations& peers() = 0;
    virtual Algorithms& algorithms() = 0;
    virtual HostBuffers& host_buffers() = 0;

    // Opens another queue on the same device, with the same memory, label and kernel facts; this
    // queue must outlive it. Work on the two queues is unordered unless events order it. The host
    // may use memory accessed by the other queue's work once it has waited for the other queue.
    virtual std::unique_ptr<Queue> open_beside() = 0;
    // `timed`: for seconds_between(), which costs more.
    virtual std::unique_ptr<Event> make_event(bool timed = false) = 0;
    // Seconds between two points of this queue's work; waits until both are reached.
    virtual double seconds_between(const Event& first, const Event& last) = 0;
    // Makes the event mark the end of all work enqueued so far.
    virtual void record(Event& event) = 0;
    // Delays work enqueued from now on until the work that the event marks at this moment is
    // complete, on whichever queue; no delay if it marks none. The host does not wait.
    virtual void wait(const Event& event) = 0;

    // Returns when all work is done. On host queues all ways of waiting are the same.
    virtual void finish(HostWait wait) = 0;
    void synchronize() { finish(HostWait::driver); }
    // Returns the seconds between the start of the first and the end of the last piece of work that
    // `enqueue` adds.
    virtual double time(const std::function<void()>& enqueue) = 0;

    // Records the work that `enqueue` adds, without running it. Not supported by the cpu backend.
    virtual std::unique_ptr<Recording> record(const std::function<void()>& enqueue);
    // Enqueues work that evicts everything from the device's caches and leaves no dirty lines. Only
    // supported by the cuda backend.
    virtual void evict_caches();

    // Returns the facts of every kernel launched since the last call, in order of first launch.
    virtual std::vector<KernelFacts> take_kernel_facts() = 0;

    // Names the work that runs next, for messages of the SIMT executor.
    void set_label(std::string label) { label_ = std::move(label); }
    const std::string& label() const { return label_; }

    // Sets the queue's name in timelines: a lane of a device.
    void set_lane(int place, std::string name);
    // Starts logging this queue's operations, and those of queues beside it, to `log`, and adds
    // their lanes; nullptr stops.
    void report_to(SpanLog* log);
    // Start a span on the queue's lane, or on its host's lane for work of the host; no effect
    // without a log.
    SpanTimer timed(SpanKind kind, std::string name, std::size_t bytes = 0) const;
    SpanTimer timed_on_host(SpanKind kind, std::string name) const;

  protected:
    explicit Queue(Backend backend);
    // Identifies this queue to profilers.
    void set_native_stream(NativeStream stream) { native_stream_ = stream; }
    // For a queue beside `main`: logs to the log of `main`, as "queue 2" and so on.
    void report_beside(const Queue& main);

  private:
    struct Reporting {
        SpanLog* log = nullptr;
        std::vector<const Queue*> queues;
        int opened = 1;
    };

    Backend backend_;
    NativeStream native_stream_;
    std::string label_;
    int place_ = 0;
    std::string lane_name_ = "queue";
    std::shared_ptr<Reporting> reporting_;
};

// Memory on a queue, released on destruction.
class Memory {
  public:
    Memory() = default;
    Memory(Queue& queue, std::size_t bytes)
        : pointer_(queue.allocate(bytes), [&queue](void* p) { queue.release(p); }) {}
    void* get() const { return pointer_.get(); }

  private:
    std::unique_ptr<void, std::function<void(void*)>> pointer_;
};

// Page-locked host memory, released on destruction.
class PinnedMemory {
  public:
    PinnedMemory() = default;
    PinnedMemory(Queue& queue, std::size_t bytes)
        : pointer_(queue.host_buffers().allocate_pinned(bytes),
                   [&queue](void* p) { queue.host_buffers().release_pinned(p); }) {}
    void* get() const { return pointer_.get(); }

  private:
    std::unique_ptr<void, std::function<void(void*)>> pointer_;
};

// Host memory that stays pinned for the lifetime of this object.
class Pinned {
  public:
    Pinned(Queue& queue, std::span<std::byte> memory) : queue_(queue), memory_(memory) {
        queue_.host_buffers().pin(memory_);
    }
    ~Pinned() { queue_.host_buffers().unpin(memory_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

  private:
    Queue& queue_;
    std::span<std::byte> memory_;
};

// Host memory that the queue caches for the lifetime of this object, if it has memory to spare.
class Kept {
  public:
    Kept(Queue& queue, std::span<const std::byte> memory)
        : queue_(queue), memory_(memory), kept_(queue.host_buffers().keep(memory)) {}
    ~Kept() {
        if (kept_) queue_.host_buffers().let_go(memory_);
    }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    explicit operator bool() const { return kept_; }

  private:
    Queue& queue_;
    std::span<const std::byte> memory_;
    bool kept_;
};

}  // namespace camber
