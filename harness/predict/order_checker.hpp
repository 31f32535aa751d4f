// Finds work of different queues that touches the same memory without an ordering, such as a
// missing wait in a halo exchange. Events, arrival counts and host synchronization order work;
// counts that blocks of a kernel wait for order those blocks. The order in which the executor runs
// the work does not count, so a missing wait is found in any order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "harness/machine/queue/memory_observer.hpp"
#include "harness/machine/simt/executor.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/predict/group_checker.hpp"

namespace camber {

class OrderChecker final : public simt::Recorder, public MemoryObserver {
  public:
    // Stores at most `examples` examples for each pair of queues and kernels.
    explicit OrderChecker(int examples) : examples_(examples) {}

    // Starts checking accesses to memory that stays allocated until end(). `memory` names addresses
    // and queues.
    void begin(PlaceMemory& memory);
    void end() { memory_ = nullptr; }

    void work_begins(const Queue& queue, int number, const WorkClock& known) override;
    void begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) override;
    void record(const simt::Access& access) override;
    void end_block(const simt::Index3& block) override;
    void waited(const void* counter, std::uint32_t number) override;
    void counted(const void* counter, std::uint32_t number) override;
    void allocated(const void*, std::size_t) override {}
    void released(const void*) noexcept override {}
    void read(const void* memory, std::size_t pitch, Rectangle shape) override;
    void written(const void* memory, std::size_t pitch, Rectangle shape) override;
    void host_written(const void* memory, std::size_t pitch, Rectangle shape) override;
    void poisoned(const ByteArea& area) override;
    void copied(const void* to, const void* from, std::size_t bytes) override;

    // Findings in the order of their first occurrence.
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    // Data of an access that later accesses are compared with.
    struct Stamp {
        std::uint32_t work = 0;  // index in works_; 0: none
        Operation operation = Operation::load;
    };
    struct Accesses {
        Stamp latest;  // latest store, or the first access if there is no store
        std::unique_ptr<std::vector<Stamp>> others;  // loads and atomics since `latest`
    };
    // State of four bytes, or of each byte once some are accessed alone: rows of one-byte cells
    // need not start or end at multiples of four.
    struct Granule {
        static constexpr std::uintptr_t bytes = 4;
        Accesses all;
        std::unique_ptr<std::array<Accesses, bytes>> each;
    };
    struct Page {
        static constexpr std::uintptr_t bytes = 4096;
        std::array<Granule, bytes / Granule::bytes> granules;
    };
    // A work item of a queue.
    struct Work {
        const Queue* queue = nullptr;
        int lane = -1;
        std::uint32_t number = 0;  // number of the item within its lane
        std::string name;
        int times = 0;  // occurrences of this label on the queue
    };
    // Both work items and their operations.
    using Key = std::tuple<const Queue*, std::string, const Queue*, std::string, Operation,
                           Operation, std::string>;

    void begin_work(const std::string& name);
    WorkClock clock_now() const;
    // Number of the lane's work items that are complete at the current point of the running block.
    std::uint32_t known_of(int lane) const;
    void touch(const void* memory, std::size_t bytes, Operation operation);
    void touch(Accesses& accesses, Stamp now, std::uintptr_t address);
    bool is_ordered(Stamp earlier) const;
    Granule& granule_at(std::uintptr_t address);
    void touch_rows(const void* memory, std::size_t pitch, Rectangle shape, Operation operation);
    void report(Stamp earlier, Stamp now, std::uintptr_t address);

    int examples_;
    PlaceMemory* memory_ = nullptr;
    const Queue* queue_ = nullptr;  // queue whose work item is running
    int lane_ = -1;
    const WorkClock* known_ = nullptr;
    WorkClock block_;   // work that the running block has waited for inside its kernel
    WorkClock launch_;  // work that every block of the launch waits for
    std::map<int, WorkClock> waited_;  // work that each lane's launches wait for
    // Work completed at each value of a count.
    std::map<const void*, std::vector<WorkClock>> counted_;
    bool is_named_ = false;  // the running work item is the last one in works_
    std::vector<Work> works_{1};
    std::map<std::pair<const Queue*, std::string>, int> times_;
    std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
    std::map<Key, std::size_t> index_;
    std::vector<Finding> findings_;
};

}  // namespace camber
