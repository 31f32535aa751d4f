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

// Links through which a step's kernel exchanges edge rows: its edge blocks wait for the neighbors'
// rows and store their own rows into the neighbors' memory.

// Counters in a device's memory, for its sides above and below.
struct LinkCounts {
    std::uint32_t arrived[2];  // times that the neighbor sent its rows; counted by the neighbor
    std::uint32_t taken[2];    // generations that have read those rows
    std::uint32_t done[2];     // blocks of the current launch that have sent their rows
};

struct LinkSide {
    // Receives the rows in its next buffers; nullptr: edge of the board
    FieldStore* neighbour = nullptr;
    int row = 0;  // first row of the neighbor's halo on this side, in the neighbor's numbering
    std::uint32_t* arrivals = nullptr;  // the neighbor's count of arrivals
};

struct Links {
    LinkSide side[2];
    int depth = 0;                    // rows sent to each side
    std::vector<std::string> fields;  // whose rows are sent
    LinkCounts* counts = nullptr;     // the device's own
};

// One step of a workload in one technique, the building block of pipelines.
//
// A step is a kernel-sized stage of a generation. Its plan lists the fields that it reads and
// writes and their layout, and makes the stage that launches the kernel. A variant is a pipeline of
// plans over common fields, one for each step of its workload.

// Use of a field by a step.
struct FieldUse {
    std::string name;
    ElementType element = ElementType::float32;
    std::array<std::byte, 8> outside{};  // one element: the value of halo and padding
    bool read = false;
    bool written = false;
    bool in_constant_memory = false;  // read from constant memory instead
};

// A step that runs on a queue: reads the fields' current buffers and writes their next ones.
class Stage {
  public:
    virtual ~Stage() = default;
    // Called once the fields contain the initial state.
    virtual void uploaded() {}
    // Enqueues the step of generation `number`, counted from 0.
    virtual void enqueue(int number) = 0;
    // Makes the halo of the written fields periodic, for a torus.
    virtual void refresh_halo() {}
};

// A step whose kernel also exchanges edge rows with the kernels of neighboring devices.
class LinkedStage {
  public:
    virtual ~LinkedStage() = default;
    // Enqueues some generations, the first of which has this number, in one launch: it waits for
    // the neighbors' rows of the previous generation, and sends them those of each generation. The
    // fields have two buffers; after an odd number of generations, the next buffer is current.
    virtual void enqueue(int number, int generations, const Links& links) = 0;
};

// Byte offset in constant memory, by field name. All steps of a pipeline share it.
using ConstantOffsets = std::map<std::string, std::size_t, std::less<>>;

// Queue, problem and fields that a stage works on; lives as long as the stage.
struct StageContext {
    Queue& queue;
    const Problem& problem;
    FieldStore& store;
    const ConstantOffsets& constants;
};

// Makers of linked stages: with one launch per generation, and with one launch of a persistent
// kernel for many generations. Empty if the technique has no such kernel.
struct LinkedMakers {
    using Maker = std::function<std::unique_ptr<LinkedStage>(const StageContext&)>;
    Maker per_generation = {};
    Maker persistent = {};
};

// Makes a step's stage.
class StageMaker {
  public:
    StageMaker() = default;
    // A stage that needs the whole board.
    template <class Make>
    requires std::is_invocable_v<const Make&, const StageContext&> StageMaker(Make make)
        : make_(std::move(make)) {}
    // A stage that also works on some of a board's rows, with the adjacent rows as their halo.
    // `reach`: number of rows beyond a cell's own that it reads.
    template <class Make>
    StageMaker(Make make, int reach, LinkedMakers linked = {})
        : make_(std::move(make)), reach_(reach), linked_(std::move(linked)) {}

    std::unique_ptr<Stage> operator()(const StageContext& context) const { return make_(context); }
    std::optional<int> reach() const { return reach_; }
    const LinkedMakers& linked() const { return linked_; }

  private:
    std::function<std::unique_ptr<Stage>(const StageContext&)> make_;
    std::optional<int> reach_;
    LinkedMakers linked_;
};

// Data that a step passes to the other steps of its pipeline if several devices divide the board.
// The devices of most pipelines exchange the state once a generation is complete. If a step sets
// something here, the devices instead exchange that step's output for the next step, and compute
// their copies of the neighbors' rows from it themselves.
struct Sharing {
    // Outputs that are sent to the neighbors as soon as they are complete
    std::vector<std::string> sent;
    int beyond = 0;  // rows of each neighbor that the step computes as well
    // A field whose first element is neither NaN nor negative: after the step, every device
    // replaces it by the minimum over all devices.
    std::string least;

    bool sends() const { return !sent.empty(); }
};

struct StepPlan {
    std::string step;  // "best_levels"; empty if the workload has only one step
    TechniqueInfo technique;
    Shape shape;
    bool any_halo = true;  // false: the fields must have exactly the shape's halo
    Arithmetic arithmetic = Arithmetic::canonical;
    std::vector<FieldUse> fields;
    int words_per_group = 1;  // for one-bit cells: see BitOrder
    // Plan used in the workload's other steps if this technique makes no sense there: shared tiles,
    // for instance, are useless for a step that reads no neighbors.
    StepKey stand_in;
    StageMaker make;
    // The same stage on a transposed board, with bit-identical results; nullopt if there is none.
    std::optional<StageMaker> across = std::nullopt;
    Sharing sharing;
    // Technique-specific reason for not running a problem, if there is one.
    std::function<std::optional<std::string>(const Problem&)> unsupported;
    Rules rules = Rules::any;

    std::string name() const;  // "halo/64x4/align128"
    StepKey key() const { return {technique.name, shape.path, shape.alignment}; }
    // Bytes per cell that the step must move: each input read once, each output written once.
    double bytes_per_cell() const;
};

}  // namespace camber
