// CPU threads that stay on cores of their own while they are timed.
#pragma once

#include <sched.h>
#include <filesystem>
#include <vector>

namespace camber {

// One logical CPU of every physical core that this process may use, in order: hardware threads of
// one core share its caches and pipes and would not count as units of their own. Where the system
// (below `root`) tells no cores, every logical CPU is taken for one.
std::vector<int> cpu_cores(const std::filesystem::path& root = "/");

// Pins the threads 0 to n-1 of teams, OpenMP's and those of parallel_rows(), to the first n of
// `cores` while it lives.
class PinnedThreads {
  public:
    PinnedThreads(int n, const std::vector<int>& cores);
    ~PinnedThreads();
    PinnedThreads(const PinnedThreads&) = delete;
    PinnedThreads& operator=(const PinnedThreads&) = delete;

  private:
    int n_;
    cpu_set_t before_;
};

}  // namespace camber
