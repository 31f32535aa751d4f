#include "harness/base/launch_watch.hpp"

#include <atomic>
#include <chrono>
#include <utility>

namespace camber {

namespace {

using Clock = std::chrono::steady_clock;
using Ticks = Clock::rep;

constexpr Ticks idle = Clock::time_point::max().time_since_epoch().count();
constexpr Ticks over = 0;

// Queues know no watch, as work knows no handler of signals. Each step is of a few nanoseconds.
std::atomic<Ticks> limit{0};  // 0: nobody watches
std::atomic<Ticks> deadline{idle};

// To `next`, but never back from where time is over: whoever comes too late waits for the end.
void move_deadline(Ticks next) noexcept {
    Ticks now = deadline.load(std::memory_order_relaxed);
    do
        while (now == over) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            now = deadline;
        }
    while (!deadline.compare_exchange_weak(now, next));
}

}  // namespace

void watch_launch() noexcept {
    const Ticks allowed = limit.load(std::memory_order_relaxed);
    if (allowed != 0) move_deadline(Clock::now().time_since_epoch().count() + allowed);
}

WatchedWait::~WatchedWait() {
    if (limit.load(std::memory_order_relaxed) != 0) move_deadline(idle);
}

LaunchWatch::LaunchWatch(double seconds, std::function<void()> overdue)
    : overdue_(std::move(overdue)) {
    deadline = idle;
    limit =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)).count();
    thread_ = std::thread([this] { watch(); });
}

LaunchWatch::~LaunchWatch() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    ended_.notify_all();
    thread_.join();
    limit = 0;
    deadline = idle;
}

void LaunchWatch::watch() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        const Ticks now = Clock::now().time_since_epoch().count();
        Ticks set = deadline;
        if (set <= now && deadline.compare_exchange_strong(set, over)) {
            lock.unlock();
            overdue_();
            return;
        }
        // What is submitted meanwhile has a later end than this.
        const Ticks next = set == idle || set <= now ? now + limit : set;
        ended_.wait_until(lock, Clock::time_point(Clock::duration(next)));
    }
}

}  // namespace camber
