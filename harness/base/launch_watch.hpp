// A limit on how long a device may be busy with kernels of a user's own. Nothing ends a kernel that
// loops for ever but the end of its process.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace camber {

// While one lives, work on a device must end within `seconds` of its submission, and of the
// beginning of a wait for it. Where it does not, `overdue` is called, on a thread of the watch's
// own: the thread that submitted the work waits for it, or will, and never comes back. So `overdue`
// may use what that thread used, and should end the process. One at a time.
class LaunchWatch {
  public:
    LaunchWatch(double seconds, std::function<void()> overdue);
    ~LaunchWatch();
    LaunchWatch(const LaunchWatch&) = delete;
    LaunchWatch& operator=(const LaunchWatch&) = delete;

  private:
    void watch();

    std::function<void()> overdue_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool ends_ = false;
    std::thread thread_;
};

// What queues of devices say to the watch; nothing where there is none. Work is submitted:
void watch_launch() noexcept;

// The host waits for a device, which has nothing left to do afterwards.
class WatchedWait {
  public:
    WatchedWait() noexcept { watch_launch(); }
    ~WatchedWait();
    WatchedWait(const WatchedWait&) = delete;
    WatchedWait& operator=(const WatchedWait&) = delete;
};

}  // namespace camber
