// One CPU thread's share of a launch: a set of fibres that run one block after another.
#pragma once

#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "harness/simt/access.hpp"
#include "harness/simt/executor.hpp"
#include "harness/simt/fibre.hpp"
#include "harness/simt/site_table.hpp"
#include "harness/simt/warp.hpp"

namespace camber::simt {

class BlockRunner;

// How often a thread has done something at a site. A count of an earlier block stands for 0, so
// that nothing has to be cleared between blocks.
struct VisitCount {
    std::uint32_t block_epoch = 0;
    std::uint32_t count = 0;
};

struct ThreadState : ThreadContext {
    enum class Status : std::uint8_t { ready, at_barrier, in_collective, returned };

    BlockRunner* runner = nullptr;
    std::uint32_t linear = 0;
    Status status = Status::ready;
    std::source_location site;  // where it waits
    std::uint32_t barriers = 0;
    std::uint64_t value = 0;  // given to, then received from a warp collective
    int source_lane = 0;
    std::uint32_t warp_syncs = 0;
    std::vector<VisitCount> visits;  // by 3 * site + operation; only while recording
    std::optional<Fibre> fibre;
};

class BlockRunner {
  public:
    BlockRunner(const Launch& launch, const std::function<void()>& kernel, Recorder* recorder,
                SiteTable& sites, StackPool& stacks);

    // Throws what the first faulting thread threw. After a throw the runner cannot be used again.
    void run(const Index3& block);

    void barrier(ThreadState& self, const std::source_location& site);
    std::uint64_t collective(ThreadState& self, WarpOperation operation, unsigned mask,
                             std::uint64_t value, int source_lane,
                             const std::source_location& site);
    // While recording only.
    void record(ThreadState& self, const void* address, std::size_t size, Operation operation,
                Space space, const std::source_location& site, const Field* field);
    SiteId path_through(const ThreadState& self, const std::source_location& site);
    void skip_visit(ThreadState& self, const std::source_location& site);
    unsigned lanes_of_warp(std::size_t warp) const;  // mask of the lanes that exist
    void* allocate_shared(std::size_t size, const std::source_location& site);
    void* dynamic_shared(std::size_t offset, std::size_t size, const std::source_location& site);

    // Throws a KernelFault that names the launch, the block and the running thread.
    [[noreturn]] void fault(FaultKind kind, const std::string& what,
                            const std::source_location& site) const;

  private:
    struct Collective {
        WarpOperation operation;
        unsigned mask;
        unsigned arrived;
    };

    void thread_main(ThreadState& self);
    bool release_barrier();
    [[noreturn]] void report_stuck() const;
    void finish(std::size_t warp, const Collective& collective);
    std::uint32_t count_visit(ThreadState& self, SiteId site, Operation operation);

    const Launch& launch_;
    const std::function<void()>& kernel_;
    Recorder* recorder_;
    SiteTable& sites_;
    std::vector<ThreadState> threads_;
    std::vector<std::vector<Collective>> pending_;  // per warp
    std::exception_ptr failure_;
    std::unique_ptr<std::byte[]> shared_;
    std::size_t shared_used_ = 0;
};

std::string describe(const std::source_location& site);
std::string describe(const Index3& index);

}  // namespace camber::simt
