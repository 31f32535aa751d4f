// An in-order work queue of one backend: its memory, its transfers, its clock. Kernel launches go
// through launch() (harness/machine/kernel/launch.hpp), which uses the queue's concrete type.
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

// Thrown by queues while they record, for work that cannot be replayed.

// The host asked for data between two launches, or gave some: a replay would have neither.
class NotRecordable final : public Unsupported {
  public:
    NotRecordable()
        : Unsupported("its host takes part between launches, and a recording has launches only",
                      Remedy::no_graph) {}
};

// An in-order work queue of one backend: its memory, its transfers, its clock. Kernel launches go
// through launch() (harness/machine/kernel/launch.hpp), which knows the queue's concrete type.

// How the host waits for a device.
enum class HostWait : std::uint8_t {
    driver,    // as the driver does of its own accord
    blocking,  // its thread sleeps until the device wakes it
    busy,      // it asks again and again
};

std::string_view name(HostWait wait);
HostWait host_wait_named(std::string_view name);  // throws Error(usage) for an unknown name

// What a variant may ask before it runs.
struct DeviceLimits {
    int compute_capability = 0;              // 10 * major + minor
    int threads_per_block = 0;               // most per block
    std::size_t shared_bytes_per_block = 0;  // most, opt-in included
    std::size_t total_memory = 0;            // bytes
    std::size_t available_memory = 0;        // bytes
};

// What the compiler and the launch fixed about a kernel. Zero where the backend cannot tell.
struct KernelFacts {
    std::string name;
    std::string symbol;  // the mangled name, by which profilers and disassemblers know it
    const void* address = nullptr;  // in the file that has its machine code
    unsigned block[3] = {1, 1, 1};
    unsigned grid[3] = {1, 1, 1};
    int registers = 0;              // per thread
    std::size_t static_shared = 0;  // bytes per block
    std::size_t dynamic_shared = 0;
    std::size_t local = 0;  // bytes per thread: spills and indexed arrays
    double occupancy = 0;   // theoretical: resident warps / the multiprocessor's most
    // The share of a multiprocessor's memory that the kernel holds as its wish for shared memory,
    // as the device states it; absent where the driver chooses. The occupancy is the one under it.
    std::optional<int> shared_carve_out_percent;
};

// Cells of a field as they lie in a queue's memory.
struct CellsView {
    const void* cells = nullptr;  // of row 0, column 0
    std::size_t pitch = 0;        // bytes from row to row
};

struct Rectangle {
    std::size_t width = 0;  // bytes per row
    std::size_t rows = 0;
};

// Rows of bytes in a queue's memory, or of pieces with gaps between them: a member of structures.
// Begins, as every piece does, at the first byte of an element.
struct ByteArea {
    void* first = nullptr;
    std::size_t pitch = 0;  // bytes from row to row
    std::size_t rows = 0;
    std::size_t width = 0;                     // bytes of a piece
    std::size_t pieces = 1;                    // per row
    std::size_t stride = 0;                    // bytes from piece to piece
    ElementType element = ElementType::uint8;  // decides with which bytes it is poisoned
    // Name of the field whose cells these are, if the next launch must write all of them; nullptr
    // for memory of which it may leave out a part.
    const char* output = nullptr;
};

// Rows that go from one rectangle of memory to another. Pitches in bytes.
struct Transfer {
    void* to = nullptr;
    std::size_t to_pitch = 0;
    const void* from = nullptr;
    std::size_t from_pitch = 0;
    Rectangle shape;
};

// A number that every place of a group has of its own.
struct PlacesNumber {
    void* number = nullptr;  // 4 or 8 bytes that begin on a multiple of them; no NaN, not negative
    int words = 1;           // 4-byte words that it has
    int place = 0;           // whose this is
    int places = 1;
    // Of every place, in its memory: where it gets numbers, all 0 at first. A word travels with the
    // count of the time that it is of, in one store: 2 sets in turn, a row for each place, a pair
    // for each word.
    std::uint64_t* const* slots = nullptr;
    std::uint32_t* turn = nullptr;  // how often it was done; 0 at first

    std::size_t slot_bytes() const {
        return sizeof(std::uint64_t) * 2 * static_cast<std::size_t>(places * words);
    }
    // Within a place's slots: of a word of what another place sent it.
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
    // Enqueues the work again. It touches the memory that it touched when it was recorded.
    virtual void replay() = 0;
};

// A point in a queue's work, for which other queues can wait.
class Event {
  public:
    virtual ~Event() = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

  protected:
    Event() = default;
};

class Queue {
  public:
    virtual ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    virtual Backend backend() const = 0;
    virtual DeviceLimits limits() const = 0;

    // At least 256-byte aligned. Throws Error(unavailable) with the needed and the available bytes.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;

    // Writes `value` (1, 2, 4, 8 or 16 bytes) `count` times.
    virtual void fill(void* memory, std::size_t count, std::span<const std::byte> value) = 0;
    // Poisons some areas; a checker counts their bytes as never written. All areas cost about as
    // much as one, as launches do.
    virtual void poison(std::span<const ByteArea> areas, Poison poison) = 0;
    // Pitches in bytes. The host's side may be pageable; both return when the host's side is free.
    virtual void upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        Rectangle shape) = 0;
    virtual void download(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                          Rectangle shape) = 0;
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    // Between the memories of any queues of a group.
    virtual void copy(const Transfer& transfer) = 0;
    // The same by a kernel's own stores, after which it adds 1 to `arrivals`, whichever place's
    // memory that lies in. At most 8 transfers, to places whose memory can be reached. `done`: a
    // number in this queue's memory that the kernel counts its blocks with, 0 before and after.
    virtual void deliver(std::span<const Transfer> transfers, std::uint32_t* arrivals,
                         std::uint32_t* done) = 0;
    // Work enqueued from now on begins once `arrivals` has been added to more often than this was
    // called with `taken`, which it adds 1 to. Both lie in this queue's memory and begin as 0. The
    // host does not wait. What never comes ends the work with an error after some seconds.
    virtual void await(const std::uint32_t* arrivals, std::uint32_t* taken) = 0;
    // Leaves the least of all places' numbers in the place of each: every place's queue is given
    // this, with its own number. All but the other places' slots lies in this queue's memory. The
    // host does not wait. What never comes ends the work with an error after some seconds.
    virtual void least_of_places(const PlacesNumber& number) = 0;
    // The transfers of upload() and download(), enqueued: the host's side must stay, and stay as it
    // is, until they have ended. Only from and to pinned memory the call is sure to return before.
    virtual void start_upload(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, Rectangle shape) = 0;
    virtual void start_download(void* to, std::size_t to_pitch, const void* from,
                                std::size_t from_pitch, Rectangle shape) = 0;
    // Page-locked memory of the host. Throws Error(unavailable) where there is too little.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) noexcept = 0;

    // Another queue of the same device, with this one's memory, label and kernel facts; this one
    // outlives it. Work of the two is in no order but where events give one. The host may use
    // memory that work of the other touches once it waited for the other.
    virtual std::unique_ptr<Queue> open_beside() = 0;
    virtual std::unique_ptr<Event> make_event() = 0;
    // One that seconds_between() takes; it costs more.
    virtual std::unique_ptr<Event> make_timed_event() = 0;
    // Between two points of this queue's work, once that is done.
    virtual double seconds_between(const Event& first, const Event& last) = 0;
    // The event marks the end of all work that was enqueued so far.
    virtual void record(Event& event) = 0;
    // Work enqueued from now on begins after the work that the event marks at this moment, on
    // whichever queue; at once where it marks none. The host does not wait.
    virtual void wait(const Event& event) = 0;

    // What a library has in place of a kernel; all memory is the queue's. The least of `count`
    // values, at least one, none of which is a NaN.
    virtual void minimum(const float* values, std::size_t count, float* least) = 0;
    virtual void minimum(const double* values, std::size_t count, double* least) = 0;
    // The indices of the flags that are not 0, ascending, and how many there are.
    virtual void select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                        std::int32_t* selected) = 0;

    // Keeps a copy of host memory that stays as it is until let_go(): uploads from it are then made
    // on the device, and compare() takes it. False where the queue has no room to spare, or needs
    // none because its memory is the host's.
    virtual bool keep(std::span<const std::byte>) { return false; }
    virtual void let_go(std::span<const std::byte>) noexcept {}
    // Compares cells in the queue's memory with expected ones of the host, dense, after all work
    // enqueued so far. nullopt where that needs a copy that is not kept.
    virtual std::optional<FieldDifference> compare(const CellsView& actual,
                                                   std::span<const std::byte> expected,
                                                   ElementType element, Size size,
                                                   const CellLimits& limits) = 0;

    // Makes transfers from and to a region of host memory fast, until unpin(). Never fails.
    virtual void pin(std::span<std::byte>) {}
    virtual void unpin(std::span<std::byte>) noexcept {}

    virtual void synchronize() = 0;
    // The same, and the host waits so. On the host's own queues all ways are one.
    virtual void finish(HostWait) { synchronize(); }
    // Seconds between the start of the first and the end of the last piece of work that `enqueue`
    // adds.
    virtual double time(const std::function<void()>& enqueue) = 0;

    // Records what `enqueue` adds, without running it. The cpu backend cannot.
    virtual std::unique_ptr<Recording> record(const std::function<void()>& enqueue);
    // Enqueues what drives everything out of the device's caches and leaves nothing behind that
    // would have to be written back. Only the cuda backend can.
    virtual void evict_caches();

    // Facts of every kernel launched since the last call, in order of first launch.
    virtual std::vector<KernelFacts> take_kernel_facts() = 0;

    // Names what runs next, for the messages of the SIMT executor.
    void set_label(std::string label) { label_ = std::move(label); }
    const std::string& label() const { return label_; }

    // How the queue is called in timelines: a lane of a place.
    void set_lane(int place, std::string name);
    // Tells `log` from now on what it does itself, and its lane in any case, as do the queues
    // beside it; nullptr: no more.
    void report_to(SpanLog* log);
    // A span on the queue's lane, where it reports; on its host's lane: what is not its own work.
    SpanTimer timed(SpanKind kind, std::string name, std::size_t bytes = 0) const;
    SpanTimer timed_on_host(SpanKind kind, std::string name) const;

  protected:
    Queue();
    // Of a queue beside `main`: it reports where that one does, as "queue 2" and so on.
    void report_beside(const Queue& main);

  private:
    struct Reporting {
        SpanLog* log = nullptr;
        std::vector<const Queue*> queues;
        int opened = 1;
    };

    virtual NativeStream native_stream() const { return {}; }

    std::string label_;
    int place_ = 0;
    std::string lane_name_ = "queue";
    std::shared_ptr<Reporting> reporting_;
};

// Memory on a queue, released with it.
class Memory {
  public:
    Memory() = default;
    Memory(Queue& queue, std::size_t bytes)
        : pointer_(queue.allocate(bytes), [&queue](void* p) { queue.release(p); }) {}
    void* get() const { return pointer_.get(); }

  private:
    std::unique_ptr<void, std::function<void(void*)>> pointer_;
};

// Page-locked host memory, released with it.
class PinnedMemory {
  public:
    PinnedMemory() = default;
    PinnedMemory(Queue& queue, std::size_t bytes)
        : pointer_(queue.allocate_pinned(bytes), [&queue](void* p) { queue.release_pinned(p); }) {}
    void* get() const { return pointer_.get(); }

  private:
    std::unique_ptr<void, std::function<void(void*)>> pointer_;
};

// Host memory that stays pinned for the life of this object.
class Pinned {
  public:
    Pinned(Queue& queue, std::span<std::byte> memory) : queue_(queue), memory_(memory) {
        queue_.pin(memory_);
    }
    ~Pinned() { queue_.unpin(memory_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;

  private:
    Queue& queue_;
    std::span<std::byte> memory_;
};

// Host memory of which a queue keeps a copy for the life of this object, if it has room for it.
class Kept {
  public:
    Kept(Queue& queue, std::span<const std::byte> memory)
        : queue_(queue), memory_(memory), kept_(queue.keep(memory)) {}
    ~Kept() {
        if (kept_) queue_.let_go(memory_);
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
