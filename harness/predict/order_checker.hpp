// Finds work of several queues that touches the same memory while nothing orders it: what an
// exchange between places forgets to wait for. Events, counts of arrivals and the host's own waits
// order work, and counts that blocks of a kernel wait for order those blocks; the order that the
// executor happens to take does not count, so that a missing wait is found in any.
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
    // Keeps at most `examples` for each pair of queues and kernels.
    explicit OrderChecker(int examples) : examples_(examples) {}

    // What names memory and queues; from now on accesses count, to memory that stays until end().
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

    // In the order in which each was found first.
    const std::vector<Finding>& findings() const { return findings_; }

  private:
    // An access as later ones are compared with it.
    struct Stamp {
        std::uint32_t work = 0;  // in works_; 0: none
        Operation operation = Operation::load;
    };
    struct Accesses {
        Stamp latest;                                // that stores, or else the first
        std::unique_ptr<std::vector<Stamp>> others;  // that do not store, since then
    };
    // Four bytes, or each of them once some are accessed without the others: rows of cells of a
    // byte need not end where others begin.
    struct Granule {
        static constexpr std::uintptr_t bytes = 4;
        Accesses all;
        std::unique_ptr<std::array<Accesses, bytes>> each;
    };
    struct Page {
        static constexpr std::uintptr_t bytes = 4096;
        std::array<Granule, bytes / Granule::bytes> granules;
    };
    // A piece of work of a queue.
    struct Work {
        const Queue* queue = nullptr;
        int lane = -1;
        std::uint32_t number = 0;  // of the lane's work
        std::string name;
        int times = 0;  // the queue has done what is called so
    };
    // Two works and what they do.
    using Key = std::tuple<const Queue*, std::string, const Queue*, std::string, Operation,
                           Operation, std::string>;

    void begin_work(const std::string& name);
    WorkClock clock_now() const;
    // Pieces of the lane's work that are over where the block that runs has come to.
    std::uint32_t known_of(int lane) const;
    void touch(const void* memory, std::size_t bytes, Operation operation);
    void touch(Accesses& accesses, Stamp now, std::uintptr_t address);
    bool is_ordered(Stamp earlier) const;
    Granule& granule_at(std::uintptr_t address);
    void touch_rows(const void* memory, std::size_t pitch, Rectangle shape, Operation operation);
    void report(Stamp earlier, Stamp now, std::uintptr_t address);

    int examples_;
    PlaceMemory* memory_ = nullptr;
    const Queue* queue_ = nullptr;  // whose work goes on
    int lane_ = -1;
    const WorkClock* known_ = nullptr;
    WorkClock block_;                  // what the block that runs has waited for inside its kernel
    WorkClock launch_;                 // what any block of the launch has
    std::map<int, WorkClock> waited_;  // of each lane: what its launches have
    std::map<const void*, std::vector<WorkClock>> counted_;  // what was over at each count
    bool is_named_ = false;  // the work that goes on is the last of works_
    std::vector<Work> works_{1};
    std::map<std::pair<const Queue*, std::string>, int> times_;
    std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
    std::map<Key, std::size_t> index_;
    std::vector<Finding> findings_;
};

}  // namespace camber
