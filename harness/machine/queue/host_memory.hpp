// Queues whose memory is the host's, shared by the `simt` and `cpu` backends. When there are
// several queues, a schedule runs their work in a random order that respects events, so that a
// missing wait produces wrong values.
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

// The order in which queues of the host do their work when there are several of them.
//
// On a device, work of two queues is in no order but where events give one. Here it is put off
// until the host waits for it, and then one queue after another goes on, in an order drawn by lot
// within what events allow: whoever forgets to wait finds wrong values. The queues have priorities
// that change now and then (Burckhardt et al. 2010, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs"); the lot is the same in every run.

// Used by one thread of the host. A single queue's work is done at once.
class HostSchedule {
  public:
    using Work = std::function<void()>;
    struct Mark {
        bool reached = false;                      // whether the work that an event marks is done
        WorkClock known;                           // to whoever waited for it
        std::chrono::steady_clock::time_point at;  // when it was done
    };
    using Reached = std::shared_ptr<Mark>;

    struct Item {
        Work work;        // empty: to wait
        Reached awaited;  // for this
        // Whether it may begin, by what lies in memory; empty: at any time.
        std::function<bool()> may_begin = {};
        // In the place of `work`: does a part of it, and says whether it was the last. Between two
        // parts other queues go on; `may_begin` is asked before each.
        std::function<bool()> part = {};
        WorkClock known = {};  // to the host that added it
    };
    // A queue's work, in order.
    class Lane {
      public:
        int number() const { return number_; }             // of no other lane
        const WorkClock& known() const { return known_; }  // to its latest piece of work

      private:
        friend class HostSchedule;
        std::deque<Item> items_;
        int number_ = 0;
        WorkClock known_;
    };

    Lane& open();
    // Does the lane's work. What it throws is lost.
    void close(Lane& lane) noexcept;

    void add(Lane& lane, Item item);
    // For a checker: the lane's latest work has been counted as the `number`th, from 1 on, by
    // `counter`; and it has waited for that.
    void count(const void* counter, std::uint32_t number, const Lane& lane);
    void take_count(const void* counter, std::uint32_t number, Lane& lane);
    // Returns when the lane's work is done; of the others', more or less. A piece of work that
    // throws takes all that is left with it, and so does work that waits for what never comes.
    void finish(Lane& lane);
    // Does all work. What it throws is lost.
    void finish_all() noexcept;

  private:
    Lane* next();
    void redraw();
    void give_up();

    std::vector<std::unique_ptr<Lane>> lanes_;  // of falling priority
    int opened_ = 0;
    WorkClock host_;  // what the host knows to be over
    std::map<const void*, std::vector<WorkClock>> counted_;
    std::mt19937 random_;
};

// A queue whose memory is the host's: what the `simt` and `cpu` backends share.
class HostMemoryQueue : public Queue {
  public:
    // `main`: beside it; nullptr: beside none.
    explicit HostMemoryQueue(HostMemoryQueue* main = nullptr);
    ~HostMemoryQueue() override;

    Backend backend() const override { return Backend::cpu; }
    DeviceLimits limits() const override;
    void* allocate(std::size_t bytes) override;
    void release(void* memory) noexcept override;
    void fill(void* memory, std::size_t count, std::span<const std::byte> value) override;
    void poison(std::span<const ByteArea> areas, Poison poison) override;
    void upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                Rectangle shape) override;
    void download(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                  Rectangle shape) override;
    void copy(void* to, const void* from, std::size_t bytes) override;
    void copy(const Transfer& transfer) override;
    void deliver(std::span<const Transfer> transfers, std::uint32_t* arrivals,
                 std::uint32_t* done) override;
    void await(const std::uint32_t* arrivals, std::uint32_t* taken) override;
    void least_of_places(const PlacesNumber& number) override;
    void start_upload(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      Rectangle shape) override;
    void start_download(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                        Rectangle shape) override;
    void* allocate_pinned(std::size_t bytes) override;
    void release_pinned(void* memory) noexcept override;
    std::unique_ptr<Queue> open_beside() override;
    std::unique_ptr<Event> make_event() override;
    std::unique_ptr<Event> make_timed_event() override { return make_event(); }
    double seconds_between(const Event& first, const Event& last) override;
    using Queue::record;
    void record(Event& event) override;
    void wait(const Event& event) override;
    void minimum(const float* values, std::size_t count, float* least) override;
    void minimum(const double* values, std::size_t count, double* least) override;
    void select(const std::uint8_t* flags, std::size_t count, std::int32_t* indices,
                std::int32_t* selected) override;
    // Of memory that any thread may read: on all of them.
    std::optional<FieldDifference> compare(const CellsView& actual,
                                           std::span<const std::byte> expected, ElementType element,
                                           Size size, const CellLimits& limits) override;
    void synchronize() override;
    double time(const std::function<void()>& enqueue) override;
    std::vector<KernelFacts> take_kernel_facts() override { return {}; }

    // Tells `observer` of everything from now on; it must outlive the queue's memory. nullptr:
    // none.
    void set_observer(MemoryObserver* observer) { main_.observer_ = observer; }

    // Work enqueued from now on begins once `may_begin`, by what lies in memory then.
    void put_off(std::function<bool()> may_begin);

  protected:
    using Work = HostSchedule::Work;

    // Adds `work` to what the queue is to do.
    void perform(Work work);
    // Work that stops now and then until it may go on. `advance` says whether it has ended.
    struct Parts {
        std::function<bool()> advance;
        std::function<bool()> may_advance;
    };
    // `begin` is called each time that the work is done, as when it is recorded.
    void perform_in_parts(std::function<Parts()> begin);
    // What `enqueue` adds to this queue and those beside it: each piece enqueues itself when it is
    // called. Transfers that wait throw NotRecordable.
    std::vector<Work> collect(const std::function<void()>& enqueue);

  private:
    // Calls `piece`, which adds to the schedule, or leaves it to what collects.
    void enqueue(Work piece);
    template <class R>
    void least_of(const R* values, std::size_t count, R* least);
    void refuse_to_record_transfer() const;
    void transfer_now(const Transfer& transfer) const;
    MemoryObserver* observer() const { return main_.observer_; }

    HostMemoryQueue& main_;  // this one, where it is beside no other
    std::shared_ptr<HostSchedule> schedule_;
    HostSchedule::Lane& lane_;
    MemoryObserver* observer_ = nullptr;
    std::vector<Work>* collected_ = nullptr;  // present while it collects
};

}  // namespace camber
