// Variants of the cpu backend: every workload's plain reference, serial or on CPU threads that are
// pinned to cores while they are timed.
#pragma once

#include <sched.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// The `cpu` backend: every workload's plain reference as variants, serial and on all CPU threads.

// An execution on the host that knows how long the passes of a generation take.
class TimedPasses {
  public:
    // Of one pass, by name: nanoseconds of each generation, of the first of those since the last
    // call.
    struct Pass {
        std::string name;
        std::vector<double> ns;
    };
    static constexpr std::size_t most_generations = 500;

    virtual ~TimedPasses() = default;
    // In order; none for a generation in one pass.
    virtual std::vector<Pass> take_passes() = 0;
};

// Adds `<workload>/reference/serial` and `<workload>/reference/threads` for every type of its
// cells, and the further forms of its reference, such as `surface_water/reference/five_passes`.
// Does nothing where they are already.
void add_reference_variants(Registry& registry, const Workload& workload);

// The plain reference on a number of CPU threads, with one name for all numbers, for scaling.
Variant reference_variant(const Workload& workload, ElementType cell, int threads);

// CPU threads that stay on cores of their own while they are timed.

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
