// The order in which queues of the host do their work when there are several of them.
//
// On a device, work of two queues is in no order but where events give one. Here it is put off
// until the host waits for it, and then one queue after another goes on, in an order drawn by lot
// within what events allow: whoever forgets to wait finds wrong values. The queues have priorities
// that change now and then (Burckhardt et al. 2010, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs"); the lot is the same in every run.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "harness/machine/queue/work_clock.hpp"

namespace camber {

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

}  // namespace camber
