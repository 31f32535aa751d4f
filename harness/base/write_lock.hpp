// One writer at a time of a file that is replaced again and again.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace camber {

// A file beside the target, which is locked while the writer lives and goes with it. One that a
// killed process left behind is not locked and is taken over. Where the file cannot be made, or the
// file system has no locks, nothing is locked.
class WriteLock {
  public:
    explicit WriteLock(const std::filesystem::path& target);
    ~WriteLock();
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

    // Whether another writer has the target; of which process, or 0 where that is unknown.
    bool taken() const { return taken_; }
    pid_t holder() const { return holder_; }

  private:
    std::filesystem::path path_;
    int descriptor_ = -1;
    bool taken_ = false;
    pid_t holder_ = 0;
};

}  // namespace camber
