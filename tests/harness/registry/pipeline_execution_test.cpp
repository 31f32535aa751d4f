// Order in which a pipeline calls its stages, and the memory that it passes to them.
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/pipeline.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/toy_state.hpp"

namespace camber::pipeline_execution_test {
namespace {

struct Event {
    std::string step;
    std::string what;
    int number = -1;
    friend bool operator==(const Event&, const Event&) = default;
};

// Stages that only record their calls and the memory of their fields.
struct Watched {
    std::vector<Event> events;
    std::map<std::string, bool> two_buffers;
    std::map<std::string, Layout> layouts;

    StepPlan plan(const std::string& step, std::vector<FieldUse> fields, int halo) {
        struct Watching : Stage {
            Watched& to;
            std::string step;
            Watching(Watched& to, std::string step) : to(to), step(std::move(step)) {}
            void uploaded() override { to.events.push_back({step, "uploaded"}); }
            void enqueue(int number) override { to.events.push_back({step, "enqueue", number}); }
            void refresh_halo() override { to.events.push_back({step, "refresh"}); }
        };
        StepPlan plan;
        plan.step = step;
        plan.technique.name = "watched";
        plan.shape = {.block = {1, 1}, .halo = halo};
        plan.fields = fields;
        plan.make = [this, step, fields](const StageContext& context) {
            for (const FieldUse& use : fields) {
                two_buffers[use.name] =
                    context.store.current(use.name) != context.store.next(use.name);
                layouts[use.name] = context.store.layout(use.name);
            }
            return std::make_unique<Watching>(*this, step);
        };
        return plan;
    }
};

FieldUse use(const char* name, bool read, bool written) {
    return {name, ElementType::uint32, {}, read, written};
}

// Records the source addresses of uploads.
class NotingQueue final : public HostMemoryQueue {
  public:
    std::vector<const void*> sources;
    void transfer(TransferKind kind, const Transfer& transfer) override {
        if (kind == TransferKind::upload) sources.push_back(transfer.from);
        HostMemoryQueue::transfer(kind, transfer);
    }
};

}  // namespace

TEST_CASE("a pipeline drives its stages generation by generation", "[portable][pipeline]") {
    simt::HostQueue queue(1);
    for (const Boundary boundary : {Boundary::dead, Boundary::torus}) {
        Watched watched;
        PipelineExecution execution(
            queue, {{8, 8}, boundary, ElementType::uint32},
            {watched.plan("first", {use("cells", true, false), use("sums", false, true)}, 1),
             watched.plan("second", {use("sums", true, false), use("cells", false, true)}, 1)});
        CHECK(watched.events.empty());
        execution.upload(toy::initial_state({8, 8}));
        CHECK(watched.events == std::vector<Event>{{"first", "uploaded"}, {"second", "uploaded"}});
        watched.events.clear();
        execution.advance(1);
        execution.advance(1);
        std::vector<Event> expected;
        for (const int generation : {0, 1})
            for (const char* step : {"first", "second"}) {
                expected.push_back({step, "enqueue", generation});
                if (boundary == Boundary::torus) expected.push_back({step, "refresh"});
            }
        CHECK(watched.events == expected);
        watched.events.clear();
        execution.upload(toy::initial_state({8, 8}));
        execution.advance(1);
        CHECK(watched.events[2] == Event{"first", "enqueue", 0});
    }
}

TEST_CASE("a field has two buffers where one step reads and writes it", "[portable][pipeline]") {
    simt::HostQueue queue(1);
    Watched watched;
    const PipelineExecution execution(
        queue, {{8, 8}, Boundary::dead, ElementType::uint32},
        {watched.plan(
             "a", {use("kept", true, false), use("left", false, true), use("late", false, true)},
             2),
         watched.plan("b", {use("left", true, false), use("changed", true, true)}, 1),
         watched.plan("c", {use("kept", false, true), use("late", true, true)}, 0)});
    CHECK(watched.two_buffers ==
          std::map<std::string, bool>{
              {"changed", true}, {"kept", false}, {"late", true}, {"left", false}});
    for (const auto& [field, layout] : watched.layouts) {
        CAPTURE(field);
        CHECK(layout.halo == 2);
    }
}

// A device finds its cached copy of a state by the state's address, so a temporary copy of the
// state would be transferred each time.
TEST_CASE("a state is uploaded from where it lies", "[portable][pipeline]") {
    const State initial = toy::initial_state({5, 4});
    NotingQueue queue;
    Watched watched;
    PipelineExecution execution(queue, {{5, 4}, Boundary::dead, ElementType::uint32},
                                {watched.plan("first", {use("cells", true, true)}, 0)});
    execution.upload(initial);
    CHECK(queue.sources == std::vector<const void*>{initial.field("cells").bytes().data()});
}

}  // namespace camber::pipeline_execution_test
