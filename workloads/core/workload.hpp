// Workload interface for the harness: static facts, initial states, reference and tolerance. One
// object per workload, found by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "harness/record/verification.hpp"
#include "workloads/core/rule.hpp"

namespace camber {

// Static properties of a workload, available before any computation.

// Values per cell of the board: of the cell type that a run has, and of one byte.
struct PerCell {
    int values = 0;
    int byte_values = 0;

    // Bytes per cell in the memory that kernels use.
    double bytes(ElementType cell) const {
        return values * info(cell).stored_bits / 8.0 + byte_values;
    }
    double host_bytes(ElementType cell) const {
        return 1.0 * values * info(cell).size + byte_values;
    }
};

// One entry of State::account, and what it does to the final state's amount: +1 adds, -1 takes.
struct AccountEntry {
    std::string name;
    int sign = 1;
};

struct WorkloadFacts {
    std::string_view name = {};
    std::string_view summary = {};
    std::string_view source = {};  // who defined it
    // The element types it is compiled for, the default first.
    std::vector<ElementType> cell_types = {};
    // The type that the reference computes in where variants are not held to the last bit; else the
    // variant's own.
    std::optional<ElementType> reference_type = {};
    // Default board size, and supported boundaries, the default first.
    std::optional<Size> usual_size = {};
    std::vector<Boundary> boundaries = {Boundary::dead, Boundary::torus};
    // For workloads that compute any rule of a family: the default rule in the workload's notation,
    // and a description of that notation.
    std::string_view usual_rule = {};
    std::string_view rule_form = {};
    // Parameters of its rules, with default values.
    std::vector<ParameterInfo> parameters = {};
    std::string_view file_format = {};  // of the files that it reads and writes: "RLE"
    bool random_on_input = false;       // whether a start from a file still depends on the seed
    std::vector<std::string_view> written_fields = {};  // those that a generation writes
    PerCell stored = {};                                // all fields
    // Minimum traffic of one generation: each input read once, each output written once.
    PerCell moved = {};
    // The entries that together change the amount from one generation to the next, in the order of
    // the steps; none where nothing is kept account of.
    std::vector<AccountEntry> account = {};
};

// Allowed difference between a variant and the reference.

// How a variant computes, as far as its rounding errors depend on it.
struct Computation {
    ElementType cell = ElementType::float64;
    int generations = 1;
    // By a device's mathematical library, which may round otherwise than the reference's.
    bool on_device = false;
    // In another order than the reference.
    bool reordered = false;
    // Numbers have fewer digits than the state; implies `reordered`.
    bool rounded = false;

    bool as_reference() const { return !on_device && !reordered; }
};

// A cell passes where |actual - expected| <= absolute + relative * |expected|; the sum of a field's
// cells where it does not differ by more than `total` of the expected sum. All zero: bit-equal.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double total = 0;
    // Share of a field's cells, not counting those that are and must be 0, that may be farther off
    // than `absolute` and `relative` allow: those at which a rounding error crosses a threshold.
    double outliers = 0;
    // For single fields, instead of `absolute`.
    std::map<std::string, double, std::less<>> absolute_of = {};
    // If cells differ by more, a flow may still pass as a whole; absent: it may not.
    std::optional<FlowLimits> flow = std::nullopt;
    bool exact() const {
        return absolute == 0 && relative == 0 && total == 0 && absolute_of.empty();
    }
    // Tolerance of one field.
    Tolerance of(std::string_view field) const {
        const auto own = absolute_of.find(field);
        return {.absolute = own == absolute_of.end() ? absolute : own->second,
                .relative = relative,
                .total = total,
                .outliers = outliers};
    }
};

// Workload interface for the harness: initial states, reference and facts. One object per workload,
// found by name.
class Eruption;  // workloads/core/optional_interfaces.hpp

// The ground of an eruption that no files describe.
enum class Ground { volcano, plane };

// Initial conditions of a run.
struct InitialConditions {
    Size size = {};
    ElementType cell = ElementType::uint32;
    std::uint64_t seed = 1;
    double density = 0.5;  // share of live cells, 0 to 1
    // A file of the workload's own format instead of generated cells. A pattern smaller than the
    // board has its upper left corner at (column, row), centered if not given.
    std::optional<std::filesystem::path> input = std::nullopt;
    std::optional<std::pair<std::int64_t, std::int64_t>> input_at = std::nullopt;
    std::string rule = {};  // as typed; "": the input's, or the workload's usual one
    // How often an eruption's ground is repeated from west to east and from north to south. Each
    // copy mirrors its neighbors, so that altitudes at a seam are equal on both sides.
    Size tiles{1, 1};
    // Share of cells to which lava is added at the start, beside what an eruption has.
    double added_density = 0;
    // An eruption's cells are divided into as many times as many on each side.
    int refinement = 1;
    Ground ground = Ground::volcano;
};

// Inputs of one generation besides the state.
struct GenerationContext {
    Boundary boundary = Boundary::dead;
    ParameterSet parameters = {};
    int number = 0;   // generations computed before, from the start
    int threads = 1;  // of the CPU
};

// Origin of a final state, for the metadata of saved files.
struct Run {
    InitialConditions initial = {};
    ParameterSet parameters = {};
    int generations = 0;
    std::string comment = {};  // how it came about, a line
    // The same state in the reference's type, where that is not the cells'.
    const State* exact = nullptr;
};

class Workload {
  public:
    virtual ~Workload() = default;

    const WorkloadFacts& facts() const { return facts_; }
    std::string_view name() const { return facts_.name; }
    // True if a generation writes the field; other fields keep their values.
    bool writes(std::string_view field) const;
    ElementType reference_type(ElementType cell) const {
        return facts_.reference_type.value_or(cell);
    }

    // Parameters of a run from `conditions`, and its rule: an input file may contain its own.
    // Throws Error for invalid parameters, and for an unknown rule; a workload without usual_rule
    // is never given a rule.
    virtual ParameterSet parameters_for(const InitialConditions& /*conditions*/) const {
        return ParameterSet(facts_.parameters);
    }
    // Throws Error for conditions that cannot be met.
    virtual State initial(const InitialConditions& conditions) const = 0;
    // The same in the reference's type, where a saved state knows more than the cells' type holds.
    virtual std::optional<State> exact_initial(const InitialConditions&) const {
        return std::nullopt;
    }
    // Note about an input, shown beside its name: "gone on from generation 4000"; or "".
    virtual std::string input_note(const InitialConditions&) const { return ""; }
    // The plain reference: one generation from `from` to `to`, a state of the same shape whose
    // values are overwritten. The element type is that of the states.
    virtual void generation(const State& from, State& to,
                            const GenerationContext& context) const = 0;
    virtual Tolerance tolerance(const Computation&) const { return {}; }
    virtual FinalState final_state(const State& state) const = 0;

    // The size that an input file implies, where it implies one.
    virtual std::optional<Size> input_size(const std::filesystem::path&) const {
        return std::nullopt;
    }
    // Throws Error where save() would not write to this path, whatever the state.
    virtual void check_save_path(const std::filesystem::path&) const {}
    // Writes the state in the workload's own file format: a file, or the folder of an eruption.
    virtual void save(const State& state, const std::filesystem::path& path,
                      const Run& run) const = 0;

    // The workload's lava interface; nullptr for all others.
    virtual const Eruption* eruption() const { return nullptr; }

  protected:
    explicit Workload(WorkloadFacts facts) : facts_(std::move(facts)) {}

  private:
    WorkloadFacts facts_;
};

// Told of every state on the way, with the number of generations since the start.
using OnGeneration = std::function<void(int generations, const State& state)>;

// Advances `state` by `generations` with the workload's reference, from context.number on.
void advance(const Workload& workload, State& state, GenerationContext context, int generations,
             const OnGeneration& on_generation = {});

// The state that a variant must reach from `initial`: computed in the reference's type, given in
// that of the initial state.
State expected_state(const Workload& workload, const State& initial, ElementType cell,
                     GenerationContext context, int generations,
                     const OnGeneration& on_generation = {});

}  // namespace camber
