// Buffers handed over by copies: the copies of a step, and their order.
#include "variants/stencil/hand_over.hpp"

#include <map>
#include <string>
#include <vector>

#include "harness/machine/queue/memory_observer.hpp"
#include "tests/catch.hpp"
#include "tests/variants/named_variant.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::hand_over_test {
namespace {

struct Copies final : MemoryObserver {
    void allocated(const void*, std::size_t) override {}
    void released(const void*) noexcept override {}
    void written(const void*, std::size_t, Rectangle) override {}
    void poisoned(const ByteArea&) override {}
    void copied(const void* to, const void* from, std::size_t bytes) override {
        CHECK(to != from);
        sizes.push_back(bytes);
    }
    std::vector<std::size_t> sizes;
};

// Sizes of the copies in three steps.
std::vector<std::size_t> copies_of(const std::string& name, ElementType cell) {
    const Workload& workload = *find_workload(name.substr(0, name.find('/')));
    const State initial = workload.initial({.size = {20, 18}, .cell = cell, .seed = 3});
    Copies copies;  // outlives the memory that it observes
    ExecutorRun run(executor_variant(name, cell), initial,
                    ParameterSet(workload.facts().parameters));
    run.queue().set_observer(&copies);
    run.after(3);
    run.queue().set_observer(nullptr);
    return copies.sizes;
}

TEST_CASE("SCIARA-fv2 hands over by nine copies a step, SCIARA-fv3 by four", "[hand_over]") {
    constexpr auto real64 = ElementType::float64;
    constexpr auto real32 = ElementType::float32;
    constexpr std::size_t cells = 20 * 18;
    using Sizes = std::vector<std::size_t>;
    CHECK(copies_of("sciara_fv2/copy_hand_over/five_kernels/16x16", real64) ==
          Sizes(3 * 9, cells * 8));
    CHECK(copies_of("sciara_fv3/copy_hand_over/16x16", real64) == Sizes(3 * 4, cells * 8));
    CHECK(copies_of("sciara_fv3/copy_hand_over/8x8", real32) == Sizes(3 * 4, cells * 4));
    CHECK(copies_of("sciara_fv2/swap_hand_over/five_kernels/16x16", real64).empty());
    CHECK(copies_of("sciara_fv3/swap_hand_over/16x16", real64).empty());
}

// Stage that sets all cells to 7.
class Sevens final : public Stage {
  public:
    Sevens(const StageContext& context, Results results) : context_(context), results_(results) {}
    void enqueue(int) override {
        const std::uint32_t seven = 7;
        void* to = results_ == Results::next ? context_.store.next("cells")
                                             : context_.store.current("cells");
        context_.queue.fill(to, 12, std::as_bytes(std::span(&seven, 1)));
    }

  private:
    StageContext context_;
    Results results_;
};

TEST_CASE("after a copy both buffers hold what the step wrote", "[hand_over]") {
    for (const Results results : {Results::next, Results::current}) {
        StepPlan plan;
        plan.fields = {{"cells", ElementType::uint32, {}, true, results == Results::next}};
        plan.make = [=](const StageContext& context) {
            return std::make_unique<Sevens>(context, results);
        };
        const double before = plan.bytes_per_cell();
        plan = copied_after(plan, {"cells"}, results);
        CHECK(plan.bytes_per_cell() == before + 2 * 4);

        simt::HostQueue queue(1);
        FieldStore store(queue);
        const std::uint32_t one = 1;
        store.add("cells", ElementType::uint32, Layout::make(4, 3, 0, unaligned, 4),
                  std::as_bytes(std::span(&one, 1)), Buffers::two);
        store.upload(State{});
        const Problem problem{{4, 3}};
        plan.make({queue, problem, store, {}})->enqueue(0);
        for (void* buffer : {store.current("cells"), store.next("cells")})
            for (int i = 0; i < 12; ++i) CHECK(static_cast<std::uint32_t*>(buffer)[i] == 7);
    }
}

}  // namespace
}  // namespace camber::hand_over_test
