// A workload as the harness sees it: what is computed, from which initial state, and the truth
// about the result. One object per workload, found by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/parameters.hpp"
#include "harness/base/state.hpp"
#include "workloads/flow.hpp"
#include "workloads/rule.hpp"

namespace camber {

// Where a run starts.
struct InitialConditions {
    Size size;
    ElementType cell = ElementType::uint32;
    std::uint64_t seed = 1;
    double density = 0.5;  // share of live cells, 0 to 1
    // A file of the workload's own format instead of generated cells. A pattern smaller than the
    // board has its upper left corner at (column, row), centred if not given.
    std::optional<std::filesystem::path> input = std::nullopt;
    std::optional<std::pair<std::int64_t, std::int64_t>> input_at = std::nullopt;
    // Copies of the input side by side, mirrored so that cells at a seam have their like across it:
    // so many columns of copies, so many rows.
    Size tiles{1, 1};
    // Share of cells to which lava is added at the start, beside what the input has.
    double added_density = 0;
};

// What one generation depends on besides the state.
struct GenerationContext {
    Boundary boundary = Boundary::dead;
    ParameterSet parameters = {};
    int number = 0;   // generations computed before, from the start
    int threads = 1;  // of the CPU
};

// How far a variant may be from the reference: a cell passes where
// |actual - expected| <= absolute + relative * |expected|; the sum of a field's cells where it
// does not differ by more than `total` of the expected sum. All zero: bit-equal.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double total = 0;
    // Share of a field's cells, not counting those that are and must be 0, that may be farther off
    // than `absolute` and `relative` allow: those at which a rounding error crosses a threshold.
    double outliers = 0;
    // Of single fields, in place of `absolute`.
    std::map<std::string, double, std::less<>> absolute_of = {};
    // Where cells are farther off than all that, a flow may pass as a whole; absent: it may not.
    std::optional<FlowLimits> flow = std::nullopt;
    bool exact() const {
        return absolute == 0 && relative == 0 && total == 0 && absolute_of.empty();
    }
    // What holds for one field.
    Tolerance of(std::string_view field) const {
        const auto own = absolute_of.find(field);
        return {.absolute = own == absolute_of.end() ? absolute : own->second,
                .relative = relative,
                .total = total,
                .outliers = outliers};
    }
};

// What a final state is recorded by.
struct FinalState {
    std::string quantity;  // "population" or "mass"
    double amount = 0;
    std::uint64_t checksum = 0;  // FNV-1a over the cells, row by row
    // The reference's account from start to end: "rained", "infiltrated".
    std::map<std::string, double> account = {};
};

// One entry of State::account, and what it does to the final state's amount: +1 adds, -1 takes.
struct AccountEntry {
    std::string name;
    int sign = 1;
};

// Where a final state came from, for what its files say beside the cells.
struct Run {
    InitialConditions initial;
    ParameterSet parameters;
    int generations = 0;
    std::string comment;  // how it came about, a line
};

class Workload {
  public:
    virtual ~Workload() = default;

    virtual std::string_view name() const = 0;
    virtual std::string_view summary() const = 0;
    virtual std::string_view source() const = 0;  // who defined it
    // The element types it is compiled for, the default first.
    virtual std::vector<ElementType> cell_types() const = 0;

    // The board's size by default, and what lies beyond its edge, the default first.
    virtual std::optional<Size> usual_size() const { return std::nullopt; }
    virtual std::vector<Boundary> boundaries() const { return {Boundary::dead, Boundary::torus}; }
    // What its rules take, with the values by default.
    virtual std::vector<ParameterInfo> parameters() const { return {}; }
    // The values for a run from `conditions`: an input file may bring its own. Throws Error for
    // what no run can start from.
    virtual ParameterSet parameters_for(const InitialConditions& /*conditions*/) const {
        return ParameterSet(parameters());
    }
    // The files that it reads and writes ("RLE"), and the size that an input file implies, where
    // it implies one.
    virtual std::string_view file_format() const = 0;
    virtual std::optional<Size> input_size(const std::filesystem::path&) const {
        return std::nullopt;
    }

    // Whether it can start from several copies of an input, and from an input with added cells.
    virtual bool takes_tiles() const { return false; }

    // Throws Error for conditions that cannot be met.
    virtual State initial(const InitialConditions& conditions) const = 0;
    // Whether parameters ask for a run that ends by the workload's own rule, and after how many
    // generations such a run from `initial` ends.
    virtual bool ends_itself(const ParameterSet&) const { return false; }
    virtual int own_generations(const State& /*initial*/, const GenerationContext&) const {
        return 0;
    }
    // The plain reference: one generation from `from` to `to`, a state of the same shape whose
    // values are overwritten. The element type is that of the states.
    virtual void generation(const State& from, State& to,
                            const GenerationContext& context) const = 0;
    // The type that the reference computes in where variants are not held to the last bit.
    virtual ElementType reference_type(ElementType cell) const { return cell; }
    virtual Tolerance tolerance(int /*generations*/) const { return {}; }
    // The same for variants on a device, whose mathematical library may round otherwise than the
    // reference's.
    virtual Tolerance device_tolerance(ElementType /*cell*/, int generations) const {
        return tolerance(generations);
    }
    // For variants that compute in another order than the reference, wherever they run.
    virtual Tolerance reordered_tolerance(ElementType cell, int generations) const {
        return device_tolerance(cell, generations);
    }
    // The state as a flow, for workloads whose states are one. Its account must be that of the
    // reference after as many generations.
    virtual std::optional<Flow> flow(const State&, const ParameterSet&) const {
        return std::nullopt;
    }
    // Not 0 for the cells that the real event covered, row by row, where the input knows them; else
    // empty.
    virtual std::vector<std::uint8_t> real_event(const InitialConditions&) const { return {}; }
    // Whether a generation writes the field; the others keep their values.
    virtual bool writes(std::string_view /*field*/) const { return true; }
    // Bytes of all fields, per cell.
    virtual double stored_bytes_per_cell(ElementType cell) const { return info(cell).size; }
    // Bytes that one generation must move per cell: each input read once, each output written once.
    virtual double application_bytes_per_cell(ElementType cell) const = 0;

    virtual FinalState final_state(const State& state) const = 0;
    // The entries that together change the amount from one generation to the next, in the order of
    // the steps; none where nothing is kept account of.
    virtual std::vector<AccountEntry> account_entries() const { return {}; }
    // Whether save() writes a folder of files, not one file.
    virtual bool saves_folder() const { return false; }
    // Throws Error where save() would not write a file of this name, whatever the state.
    virtual void check_save_path(const std::filesystem::path&) const {}
    // Writes the state in the workload's own file format; `comment` says how it came about.
    virtual void save(const State& state, const std::filesystem::path& path,
                      const std::string& comment) const = 0;
    // The same for formats that say more of the run than a comment.
    virtual void save_run(const State& state, const std::filesystem::path& path,
                          const Run& run) const {
        save(state, path, run.comment);
    }
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
