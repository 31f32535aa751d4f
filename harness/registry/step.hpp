// Step of a workload in one technique, the building block of pipelines, and the links by which its
// kernel exchanges edge rows with neighbors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/machine/queue/field_store.hpp"
#include "harness/record/conditions.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// What a step needs to exchange edge rows by its own kernel: its edge blocks wait for the
// neighbours' rows, and store their own ones into the neighbours' memory.

// In the memory of a place, of its sides above and below.
struct LinkCounts {
    std::uint32_t arrived[2];  // how often the neighbour sent its rows; the neighbour counts
    std::uint32_t taken[2];    // how many generations have read such rows
    std::uint32_t done[2];     // blocks of the launch under way that have sent theirs
};

struct LinkSide {
    FieldStore* neighbour = nullptr;    // whose next buffers get the rows; nullptr: the board ends
    int row = 0;                        // of its halo on this side, the first as it counts them
    std::uint32_t* arrivals = nullptr;  // its count of them
};

struct Links {
    LinkSide side[2];
    int depth = 0;                    // rows that go to each side
    std::vector<std::string> fields;  // of which they go
    LinkCounts* counts = nullptr;     // the place's own
};

// One step of a workload in one technique: what pipelines are made of.
//
// A step is a kernel-sized stage of a generation. Its plan says which fields it reads and writes
// and in which layout, and makes the stage that launches it; a variant is a pipeline of plans, one
// for each step of its workload, over common fields.

// A field as a step uses it.
struct FieldUse {
    std::string name;
    ElementType element = ElementType::float32;
    std::array<std::byte, 8> outside{};  // one element: the value of halo and padding
    bool read = false;
    bool written = false;
    bool in_constant_memory = false;  // where the step reads it instead
};

// A step at work on a queue: reads the fields' current buffers, writes their next ones.
class Stage {
  public:
    virtual ~Stage() = default;
    // The fields hold the initial state.
    virtual void uploaded() {}
    // Enqueues the step of generation `number`, counted from 0.
    virtual void enqueue(int number) = 0;
    // Makes the halo of the written fields that of a torus.
    virtual void refresh_halo() {}
    // Whether there is a kernel for enqueue_linked().
    virtual bool has_links() const { return false; }
    // As enqueue(), in one launch that also waits for the neighbours' rows of the generation before
    // and sends them those of this one.
    virtual void enqueue_linked(int /*number*/, const Links&) {}
    // Whether there is a kernel for enqueue_staying().
    virtual bool stays() const { return false; }
    // As many calls of enqueue_linked(), in one launch: its blocks stay, and wait for each other
    // between two generations. The fields have two buffers, of which the next is current after an
    // odd number of generations.
    virtual void enqueue_staying(int /*number*/, int /*generations*/, const Links&) {}
};

// Where a field begins in constant memory, byte by field name. All steps of a pipeline share it.
using ConstantOffsets = std::map<std::string, std::size_t, std::less<>>;

// What a stage works on; lives as long as the stage.
struct StageContext {
    Queue& queue;
    const Problem& problem;
    FieldStore& store;
    const ConstantOffsets& constants;
};

// Makes a step's stage.
class StageMaker {
  public:
    StageMaker() = default;
    // A stage that asks for the whole board.
    template <class Make>
    requires std::is_invocable_v<const Make&, const StageContext&> StageMaker(Make make)
        : make_(std::move(make)) {}
    // One that can be made for some of a board's rows as well, with those around them as their
    // halo. `reach`: how many rows beyond a cell's own it reads.
    template <class Make>
    StageMaker(Make make, int reach) : make_(std::move(make)), reach_(reach) {}

    std::unique_ptr<Stage> operator()(const StageContext& context) const { return make_(context); }
    std::optional<int> reach() const { return reach_; }

  private:
    std::function<std::unique_ptr<Stage>(const StageContext&)> make_;
    std::optional<int> reach_;
};

// What a step does for the others of its pipeline where several places divide the board. The places
// of most pipelines send each other the state once a generation is complete. Those of a pipeline
// whose steps say something here send each other what one of its steps leaves to the next, and
// compute the neighbours' rows that they hold from it themselves.
struct Sharing {
    std::vector<std::string> sent;  // outputs that go to the neighbours as soon as they are there
    int beyond = 0;                 // rows of each neighbour that the step computes as well
    // A field whose first element is no NaN and not negative: after the step, every place gets the
    // least of all in its place.
    std::string least;

    bool sends() const { return !sent.empty(); }
};

struct StepPlan {
    std::string step;  // "best_levels"; empty where the workload has one step only
    TechniqueInfo technique;
    Shape shape;
    bool any_halo = true;  // false: the fields must have no other halo than the shape's
    Arithmetic arithmetic = Arithmetic::canonical;
    std::vector<FieldUse> fields;
    int words_per_group = 1;  // of cells of one bit: see BitOrder
    // The plan that takes its place in the workload's other steps where its technique makes no
    // sense, as shared tiles make none for a step that reads no neighbours.
    StepKey stand_in;
    StageMaker make;
    // The same on a board that is stored transposed, to the last bit; absent: there is none.
    std::optional<StageMaker> across = std::nullopt;
    Sharing sharing;
    // The technique's own reason for not running a problem, where it has one.
    std::function<std::optional<std::string>(const Problem&)> unsupported;
    Rules rules = Rules::any;

    std::string name() const;  // "halo/64x4/align128"
    StepKey key() const { return {technique.name, shape.path, shape.alignment}; }
    // Bytes per cell that the step must move: each input read once, each output written once.
    double bytes_per_cell() const;
};

}  // namespace camber
