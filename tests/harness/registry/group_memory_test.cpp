// Devices with too little memory for their part of a board.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/groups/group.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/queue/host_memory.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/toy_plans.hpp"

namespace camber::group_memory_test {
namespace {

class SmallMemory : public HostMemoryQueue {
  public:
    explicit SmallMemory(std::size_t bytes) : left_(bytes), least_left_(bytes) {}

    void* allocate(std::size_t bytes) override {
        if (bytes > left_) report_memory_shortage("one field on the device", bytes, left_);
        left_ -= bytes;
        least_left_ = std::min(least_left_, left_);
        return sizes_.emplace(HostMemoryQueue::allocate(bytes), bytes).first->first;
    }
    void release(void* memory) noexcept override {
        left_ += sizes_.extract(memory).mapped();
        HostMemoryQueue::release(memory);
    }
    std::size_t left() const { return left_; }
    std::size_t least_left() const { return least_left_; }  // minimum over time

  private:
    std::size_t left_;
    std::size_t least_left_;
    std::map<void*, std::size_t> sizes_;
};

void divide(Queue& lead, int places, int halo_depth) {
    Division division;
    division.weights.assign(static_cast<std::size_t>(places), 1);
    division.allocation = Allocation::slab;
    division.halo_depth = halo_depth;
    const std::vector<int> devices(division.weights.size(), 0);
    camber::divide<RowPartition>(std::make_unique<Group>(lead, devices), Exchange{},
                                 Problem{{40, 60}, Boundary::dead, ElementType::uint32},
                                 toy::toy_plans(), division);
}

}  // namespace

TEST_CASE("a board that fits one place, but not its slab and halo, is refused with the place",
          "[portable][group]") {
    constexpr std::size_t plenty = 1 << 20;
    SmallMemory large(plenty);
    divide(large, 1, 1);
    const std::size_t enough = plenty - large.least_left();
    SmallMemory queue(enough);
    divide(queue, 1, 1);
    divide(queue, 2, 1);
    try {
        divide(queue, 2, 9);
        FAIL("it was divided");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unavailable);
        CHECK(error.remedy() == Remedy::smaller_board);
        CHECK_THAT(error.what(), contains("place 0 of 2 has no room for 30 of the board's 60 rows "
                                          "and 27 of halo on either side: one field on the device "
                                          "needs "));
    }
    CHECK(queue.left() == enough);  // all memory was released
}

}  // namespace camber::group_memory_test
