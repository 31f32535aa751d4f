// Queues with host memory, shared by the `simt` and `cpu` backends. If there are several queues, a
// schedule runs their work in a random order that respects events, so that a missing wait produces
// wrong values.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "harness/machine/queue/memory_observer.hpp"
#include "harness/machine/queue/queue.hpp"

namespace camber {

// Order in which several host queues execute their work.
//
// On a device, work of two queues is unordered unless events order it. Here, work is deferred until
// the host waits for it; then queues execute one piece at a time, in a random order that respects
// events, so that a missing wait produces wrong values. The queues have priorities that change
// occasionally (Burckhardt et al. 2010, "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs"); the random seed is the same in every run.

// Schedule for queues that are used by one host thread. If there is only one queue, its work is
// executed immediately.
class HostSchedule {
  public:
    using Work = std::function<void()>;
    struct Mark {
        bool reached = false;  // true once the work that an event marks is done
        WorkClock known;       // work that is known to be complete after waiting for the event
        std::chrono::steady_clock::time_point at;  // time of completion
    };
    using Reached = std::shared_ptr<Mark>;

    struct Item {
        Work work;        // empty: only waits
        Reached awaited;  // event that the item waits for
        // Returns true if the work may begin, depending on memory contents; empty: at any time.
        std::function<bool()> may_begin = {};
        // Replaces `work`: executes one part, and returns true after the last one. Other queues may
        // run between two parts; `may_begin` is called before each.
        std::function<bool()> part = {};
        WorkClock known = {};  // work known to be complete when the host added the item
    };
    // Work of one queue, in order.
    class Lane {
      public:
        int number() const { return number_; }             // unique
        const WorkClock& known() const { return known_; }  // as of its latest piece of work

      private:
        friend class HostSchedule;
        std::deque<Item> items_;
        int number_ = 0;
        WorkClock known_;
    };

    Lane& open();
    // Executes the lane's remaining work and removes the lane; exceptions of the work are
    // discarded.
    void close(Lane& lane) noexcept;

    void add(Lane& lane, Item item);
    // For a checker: records that the lane's latest work was counted by `counter` as its `number`th
    // event, starting at 1; and that the lane has waited for that event.
    void count(const void* counter, std::uint32_t number, const Lane& lane);
    void take_count(const void* counter, std::uint32_t number, Lane& lane);
    // Returns when the lane's work is done; an unspecified part of the other lanes' work is done,
    // too. If a piece of work throws, or waits for something that never happens, all remaining work
    // is discarded.
    void finish(Lane& lane);
    // Executes all work; exceptions of the work are discarded.
    void finish_all() noexcept;

  private:
    Lane* next();
    void redraw();
    void give_up();

    std::vector<std::unique_ptr<Lane>> lanes_;  // in order of decreasing priority
    int opened_ = 0;
    WorkClock host_;  // work known by the host to be complete
    std::map<const void*, std::vector<WorkClock>> counted_;
    std::mt19937 random_;
};

// A queue with host memory: common base of the `simt` and `cpu` backends.
class HostMemoryQueue : public Queue,
                        protected PeerOperations,
                        protected Algorithms,
                        protected HostBuffers {
  public:
    // `main`: the queue beside which this one is opened; nullptr: none.
    explicit HostMemoryQueue(HostMemoryQueue* main = nullptr, Backend backend = Backend::cpu);
    ~HostMemoryQueue() override;

    DeviceLimits limits() const override;
    void* allocate(std::size_t bytes) override;
    void release(void* memory) noexcept override;
    void fill(void* memory, std::size_t count, std::span<const std::byte> value) override;
    void poison(std::span<const ByteArea> areas, Poison poison) override;
    void transfer(TransferKind kind, const Transfer& transfer) override;
    PeerOperations& peers() override { return *this; }
    Algorithms& algorithms() override { return *this; }
    HostBuffers& host_buffers() override { return *this; }
    std::unique_ptr<Queue> open_beside() override;
    std::unique_ptr<Event> make_event(bool timed = false) override;
    double seconds_between(const Event& first, const Event& last) override;
    using Queue::record;
    void record(Event& event) override;
    void wait(const Event& event) override;
    void finish(HostWait wait) override;
    double time(const std::function<void()>& enqueue) override;
    std::vector<KernelFacts> take_kernel_facts() override { return {}; }

    // Notifies `observer` of all memory operations from now on; it must outlive the queue's memory.
    // nullptr: none.
    void set_observer(MemoryObserver* observer) { main_.observer_ = observer; }

    // Delays work enqueued from now on until `may_begin` returns true, depending on memory contents
    // at that time.
    void put_off(std::function<bool()> may_begin);

  protected:
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
    // Runs on all CPU threads, as any thread may read the memory.
    std::optional<FieldDifference> compare(const CellsView& actual,
                                           std::span<const std::byte> expected, ElementType element,
                                           Size size, const CellLimits& limits) override;

    using Work = HostSchedule::Work;

    // Adds `work` to the queue.
    void perform(Work work);
    // Work that pauses occasionally until it may continue. `advance` returns true once the work is
    // complete.
    struct Parts {
        std::function<bool()> advance;
        std::function<bool()> may_advance;
    };
    // `begin` is called each time the work is executed, for instance on each replay of a recording.
    void perform_in_parts(std::function<Parts()> begin);
    // Returns the work that `enqueue` adds to this queue and those beside it; each piece enqueues
    // itself when called. Transfers that wait throw NotRecordable.
    std::vector<Work> collect(const std::function<void()>& enqueue);

  private:
    // Calls `piece`, which adds to the schedule; while collecting, stores it instead.
    void enqueue(Work piece);
    template <class R>
    void least_of(const R* values, std::size_t count, R* least);
    void refuse_to_record_transfer() const;
    void perform_transfer(TransferKind kind, const Transfer& transfer) const;
    void transfer_now(const Transfer& transfer) const;
    MemoryObserver* observer() const { return main_.observer_; }

    HostMemoryQueue& main_;  // this queue, if it was not opened beside another one
    std::shared_ptr<HostSchedule> schedule_;
    HostSchedule::Lane& lane_;
    MemoryObserver* observer_ = nullptr;
    std::vector<Work>* collected_ = nullptr;  // set while collecting
};

}  // namespace camber
