// Workload interface for the harness: static facts, initial states, reference and tolerance. There
// is one object per workload, found by name.
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
#include "workloads/core/workload_options.hpp"

namespace camber {

// Static properties of a workload, available before any computation.

// Number of values per cell of the board: `values` have the run's cell type, `byte_values` have one
// byte.
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

// One entry of State::account, and its sign in the balance of the final state: +1 adds, -1
// subtracts.
struct AccountEntry {
    std::string name;
    int sign = 1;
};

struct WorkloadFacts {
    std::string_view name = {};
    std::string_view summary = {};
    std::string_view source = {};  // publication that defines the workload
    // Supported cell types, the default first.
    std::vector<ElementType> cell_types = {};
    // Type in which the reference computes if variants need not be bit-equal; otherwise the
    // variant's own type.
    std::optional<ElementType> reference_type = {};
    // Default board size, and supported boundaries, the default first.
    std::optional<Size> usual_size = {};
    std::vector<Boundary> boundaries = {Boundary::dead, Boundary::torus};
    // Options that the command line has for this workload only.
    std::vector<WorkloadOption> options = {};
    // Parameters of the workload's rules, with default values.
    std::vector<ParameterInfo> parameters = {};
    std::string_view file_format = {};  // of input and output files: "RLE"
    bool random_on_input = false;       // true if a start from a file still depends on the seed
    // For workloads in which a density adds something to the cells of an input file: "lava".
    std::string_view added_by_density = {};
    std::vector<std::string_view> written_fields = {};  // fields that a generation writes
    PerCell stored = {};                                // all fields of the state
    // Minimum traffic of one generation: each input read once, each output written once.
    PerCell moved = {};
    // Entries that together change the balance from one generation to the next, in the order of the
    // steps; empty if the workload has no balance.
    std::vector<AccountEntry> account = {};
};

// Properties of a variant's computation that affect its rounding errors.
struct Computation {
    ElementType cell = ElementType::float64;
    int generations = 1;
    // Uses a device's math library, which may round differently from the reference's.
    bool on_device = false;
    // Adds in another order than the reference.
    bool reordered = false;
    // Computes with fewer digits than the state has; implies `reordered`.
    bool rounded = false;

    bool as_reference() const { return !on_device && !reordered; }
};

// Tolerance of a comparison. A cell passes if |actual - expected| <= absolute + relative *
// |expected|. The sum of a field's cells passes if its relative difference is at most `total`. If
// all are zero, states must be bit-equal.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double total = 0;
    // Maximum share of a field's cells that may exceed `absolute` and `relative`, because a
    // rounding error made them cross a threshold. Cells that are 0 and must be 0 do not count.
    double outliers = 0;
    // Replaces `absolute` for single fields.
    std::map<std::string, double, std::less<>> absolute_of = {};
    // If set, a flow whose cells differ by more may still pass as a whole.
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

// Initial conditions of a run.
struct InitialConditions {
    Size size = {};
    ElementType cell = ElementType::uint32;
    std::uint64_t seed = 1;
    // Share of live cells, 0 to 1; if not set, the workload chooses it. With an input, the share of
    // cells to which WorkloadFacts::added_by_density is added.
    std::optional<double> density = std::nullopt;
    // File in the workload's own format, instead of generated cells. A pattern smaller than the
    // board has its upper left corner at (column, row); if not set, it is centered.
    std::optional<std::filesystem::path> input = std::nullopt;
    std::optional<std::pair<std::int64_t, std::int64_t>> input_at = std::nullopt;
    OptionValues options = {};  // of the workload's own options
};

// Share of live cells of a random board if the initial conditions do not contain one.
constexpr double usual_density = 0.5;

// Inputs of one generation besides the state.
struct GenerationContext {
    Boundary boundary = Boundary::dead;
    ParameterSet parameters = {};
    int number = 0;   // generations computed before, counted from the start
    int threads = 1;  // CPU threads
};

// Origin of a final state, for the metadata of saved files.
struct Run {
    InitialConditions initial = {};
    ParameterSet parameters = {};
    int generations = 0;
    std::string comment = {};  // one line on the file's origin
    // Final state in the reference's type, if that differs from the cell type.
    const State* exact = nullptr;
};

class BulkFigures;
class Eruption;
class HasBoardFields;
class HasReferenceForms;
class ParameterStart;
class SelfEnding;

// Optional interfaces of a workload (optional_interfaces.hpp, board_fields.hpp); nullptr if the
// workload lacks one.
struct WorkloadCapabilities {
    const HasBoardFields* board_fields = nullptr;
    const HasReferenceForms* reference_forms = nullptr;
    const ParameterStart* parameter_start = nullptr;
    const SelfEnding* self_ending = nullptr;
    const BulkFigures* bulk_figures = nullptr;
    const Eruption* eruption = nullptr;
};

// Workload interface: facts, initial states, reference and optional interfaces.
class Workload {
  public:
    virtual ~Workload() = default;

    const WorkloadFacts& facts() const { return facts_; }
    std::string_view name() const { return facts_.name; }
    // True if a generation writes the field; other fields keep their values.
    bool writes(std::string_view field) const;
    // Option that the workload declares; nullptr if it has none of this name.
    const WorkloadOption* option(std::string_view option_name) const;
    // Share of cells to which WorkloadFacts::added_by_density is added; 0 if there is no input.
    double added_density(const InitialConditions& conditions) const;
    // True if the run starts from another state than the one in the input file.
    bool changes_input(const InitialConditions& conditions) const;
    // Conditions for a generated state on another board, without an input and its changes.
    InitialConditions generated(InitialConditions conditions, Size board) const;
    ElementType reference_type(ElementType cell) const {
        return facts_.reference_type.value_or(cell);
    }

    // Parameters and rule of a run from `conditions`; an input file may contain its own. Throws
    // Error for invalid parameters, and for options that contradict each other.
    virtual ParameterSet parameters_for(const InitialConditions& /*conditions*/) const {
        return ParameterSet(facts_.parameters);
    }
    // Throws Error if the conditions cannot be met.
    virtual State initial(const InitialConditions& conditions) const = 0;
    // Initial state in the reference's type, if a saved state has more digits than the cell type.
    virtual std::optional<State> exact_initial(const InitialConditions&) const {
        return std::nullopt;
    }
    // Description of the initial state: "random, seed 1, density 0.5", or the input's name and
    // input_note().
    virtual std::string describe_start(const InitialConditions& conditions,
                                       const ParameterSet& parameters) const;
    // Note about an input that follows its name: ", gone on from generation 4000"; or "".
    virtual std::string input_note(const InitialConditions&) const { return ""; }
    // CPU reference: computes one generation from `from` to `to`, a state of the same shape that is
    // overwritten. The element type is that of the states.
    virtual void generation(const State& from, State& to,
                            const GenerationContext& context) const = 0;
    virtual Tolerance tolerance(const Computation&) const { return {}; }
    virtual FinalState final_state(const State& state) const = 0;

    // Board size of an input file with these options; nullopt if the file does not determine it.
    virtual std::optional<Size> input_size(const std::filesystem::path&,
                                           const OptionValues& = {}) const {
        return std::nullopt;
    }
    // Throws Error if save() cannot write to this path, or not with these options.
    virtual void check_save_path(const std::filesystem::path&, const OptionValues& = {}) const {}
    // Writes the state in the workload's own file format: a file, or an eruption's folder.
    virtual void save(const State& state, const std::filesystem::path& path,
                      const Run& run) const = 0;

    virtual WorkloadCapabilities capabilities() const { return {}; }

  protected:
    explicit Workload(WorkloadFacts facts) : facts_(std::move(facts)) {}

  private:
    WorkloadFacts facts_;
};

// Called after each generation, with the number of generations since the start.
using OnGeneration = std::function<void(int generations, const State& state)>;

// Advances `state` by `generations` generations with the workload's reference; context.number is
// the number of the first.
void advance(const Workload& workload, State& state, GenerationContext context, int generations,
             const OnGeneration& on_generation = {});

// State that a variant must reach from `initial`: computed in the reference's type, returned in the
// type of `initial`.
State expected_state(const Workload& workload, const State& initial, ElementType cell,
                     GenerationContext context, int generations,
                     const OnGeneration& on_generation = {});

}  // namespace camber
