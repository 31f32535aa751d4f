// Variants of the cpu backend: every workload's plain reference, serial or on CPU threads that are
// pinned to cores during timing.
#pragma once

#include <sched.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// The plain references as variants, serial and on all CPU threads.

// Execution on the host that measures the passes of a generation.
class TimedPasses {
  public:
    // Times of one named pass: nanoseconds of the first generations since the last call.
    struct Pass {
        std::string name;
        std::vector<double> ns;
    };
    static constexpr std::size_t most_generations = 500;

    virtual ~TimedPasses() = default;
    // Passes in order; empty if a generation is a single pass.
    virtual std::vector<Pass> take_passes() = 0;
};

// Adds `<workload>/reference/serial` and `<workload>/reference/threads` for every cell type of the
// workload, and the further forms of its reference, such as `surface_water/reference/five_passes`.
// Does nothing if the registry already contains them.
void add_reference_variants(Registry& registry, const Workload& workload);

// The plain reference on `threads` CPU threads, for scaling studies. Its name does not depend on
// the number of threads.
Variant reference_variant(const Workload& workload, ElementType cell, int threads);

// CPU threads that are pinned to separate cores during timing.

// One logical CPU of every physical core that this process may use, in ascending order. Hardware
// threads of one core share caches and pipelines and do not count as separate units. If the system
// (below `root`) does not report cores, every logical CPU counts as one.
std::vector<int> cpu_cores(const std::filesystem::path& root = "/");

// During its lifetime, pins threads 0 to n-1 of the OpenMP and parallel_rows() teams to the first n
// of `cores`.
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
