// Workload `sph`: facts, initial states, tolerance and output of water as particles.
#include "workloads/core/factories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/base/error.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/saved_state.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/particle_file.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/reference.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber {
namespace {

using namespace sph;

// Maximum number of iterations after which every particle is compared, even with another order of
// sums.
constexpr int last_by_particle = 50;
// Maximum share of values that may exceed the tolerance within these iterations. Of a million
// particles on an H100, after 20 iterations of the half list, eight values did, by at most 2.6
// times the tolerance.
constexpr double outlying_share = 1e-4;

class SphWorkload final : public Workload,
                          public ParameterStart,
                          public SelfEnding,
                          public BulkFigures {
  public:
    SphWorkload()
        : Workload({.name = "sph",
                    .summary = "Water as particles that find their neighbours: smoothed-particle "
                               "hydrodynamics",
                    .source = "Rustico 2012, chapters 7 and 8",
                    .cell_types = {ElementType::float32, ElementType::float64},
                    .boundaries = {Boundary::dead},
                    .parameters = sph::parameters(),
                    .file_format = "VTK or CSV",
                    .written_fields = {"x", "y", "z", "vx", "vy", "vz", "listed_x", "listed_y",
                                       "listed_z", density_field, step_field, time_field},
                    .stored = {.values = 10, .byte_values = 1},
                    // Position, velocity and density, each read and written once.
                    .moved = {.values = 14}}) {}

    WorkloadCapabilities capabilities() const override {
        return {.parameter_start = this, .self_ending = this, .bulk_figures = this};
    }
    ParameterSet parameters_for(const InitialConditions& conditions) const override {
        ParameterSet set(facts().parameters);
        if (conditions.input) {
            take_parameters(head_of(conditions), set, [](const ParameterSet& read) {
                static_cast<void>(particle_count(settings_of(read)));
            });
            set.set("time", {0});  // the end time of the saved run, which has passed
        } else {
            set.set("dp", {usual_spacing(conditions.size.cells())});
        }
        return set;
    }
    Size size_for(const ParameterSet& set) const override {
        return board_of(particle_count(settings_of(set)));
    }
    ParameterSet grown(const ParameterSet& set, double times) const override {
        ParameterSet result = set;
        result.set("dp", {spacing_of_more(settings_of(set), times)});
        return result;
    }
    std::string_view size_parameter() const override { return "dp"; }
    std::string smaller() const override { return "give a larger dp"; }
    std::string note_for(const ParameterSet& set) const override {
        const Settings settings = settings_of(set);
        return fmt::format("{}, dp {} m", name_of(settings.scene), settings.dp);
    }

    State initial_for(const ParameterSet& set, const InitialConditions& conditions) const override {
        const Settings settings = settings_of(set);
        if (!conditions.input) return initial_state(settings, conditions.cell);
        check_scene(settings, conditions);
        InitialConditions same = conditions;
        same.size = size_for(set);
        const auto example = [](ElementType cell) {
            return sph::initial_state({.dp = usual_spacing(0)}, cell);
        };
        State state = *saved_state(*this, same, example);
        check_accounts(state, settings, state_path(*conditions.input).string());
        state.account[list_radius_account] = list_radius(settings);
        return state;
    }
    State initial(const InitialConditions& conditions) const override {
        return initial_for(parameters_for(conditions), conditions);
    }
    std::string describe_start(const InitialConditions& conditions,
                               const ParameterSet& set) const override {
        return note_for(set) + input_note(conditions);
    }
    std::string input_note(const InitialConditions& conditions) const override {
        if (!conditions.input) return "";
        return fmt::format(", gone on from generation {}", head_of(conditions).generations);
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        reference_.step(from, to, context);
    }
    // With another order of sums: a millionth of a meter, of the speed of sound and of the rest
    // density. With 876 particles, the differences after 50 iterations were a fifth of that for
    // velocities and a third for densities (tests/variants/particles/sph/inexact_test.cpp). For
    // compensated sums the limits follow from their error bound
    // (tests/variants/particles/sph/compensated_test.cpp).
    //
    // With positions in half precision: in each iteration, the rounded positions change the
    // velocity by the change of the force times the step. Under 0.4 m of water this is at most 7
    // mm/s for any spacing, by the bound that
    // tests/variants/particles/sph/sph_half_positions_test.cpp checks for each force. Errors of 80
    // neighbors partly cancel and add up to a twentieth of it. Their signs vary, so after ten
    // iterations they hardly grow. With 876 particles, the differences were a quarter to a half of
    // the limits.
    Tolerance tolerance(const Computation& computation) const override {
        if (!computation.reordered) return {};
        if (computation.rounded) {
            const double iterations = std::min(computation.generations, last_by_particle);
            const double speed = 4e-4 * std::min(computation.generations, 10);
            return {.absolute = 1e-6 * iterations,
                    .outliers = outlying_share,
                    .absolute_of = {{"vx", speed},
                                    {"vy", speed},
                                    {"vz", speed},
                                    {density_field, 5e-3 * iterations}}};
        }
        return {
            .absolute = 1e-6,
            .outliers = outlying_share,
            .absolute_of = {{"vx", 3.4e-5}, {"vy", 3.4e-5}, {"vz", 3.4e-5}, {density_field, 1e-3}}};
    }
    // Later, particles diverge, as Rustico 2012, section 8.9, observed, and only figures of the
    // whole fluid are compared.
    std::map<std::string, double> figure_limits(const Computation& computation) const override {
        if (!computation.reordered || computation.generations <= last_by_particle) return {};
        return {{"time_s", 0.02},
                {"front_m", 0.02},
                {"mean_height_m", 0.02},
                {"density_min", 0.02},
                {"density_max", 0.02}};
    }
    FinalState final_state(const State& state) const override { return final_of(state); }

    // Interval of list builds, which also reorder the particles.
    int period(const ParameterSet& set) const override { return settings_of(set).rebuild; }
    bool begins_period(std::string_view kernel) const override {
        constexpr std::array of_list{"hash", "number", "reorder", "move", "neighbours"};
        return std::ranges::find(of_list, kernel) != of_list.end();
    }
    bool ends_itself(const ParameterSet& set) const override { return settings_of(set).time > 0; }
    int own_generations(const State& initial, const GenerationContext& context) const override {
        const double end = settings_of(context.parameters).time;
        if (const double now = initial.field(time_field).cells<double>()[0]; now >= end)
            throw Error(ExitCode::usage,
                        fmt::format("a run that begins at {:g} s cannot end at time = {:g} s: give "
                                    "a later time",
                                    now, end));
        State state = initial;
        State next = initial;
        GenerationContext now = context;
        while (state.field(time_field).cells<double>()[0] < end &&
               now.number < std::numeric_limits<int>::max()) {
            generation(state, next, now);
            std::swap(state, next);
            ++now.number;
        }
        return now.number - context.number;
    }

    void check_save_path(const std::filesystem::path& path, const OptionValues&) const override {
        check_particle_path(path);
    }
    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        write_particles(state, path, run.comment);
        save_state(*this, state, path, run, run.parameters);
    }

  private:
    // Throws Error(usage) if there is no saved state beside the input.
    SavedHead head_of(const InitialConditions& conditions) const {
        if (auto head = saved_head(*this, conditions)) return *std::move(head);
        throw Error(
            ExitCode::usage,
            fmt::format("there are no particles in {}, the state beside {}: give a file "
                        "that camber run --workload sph --save wrote",
                        state_path(*conditions.input).string(), conditions.input->string()));
    }
    static void check_accounts(const State& state, const Settings& settings,
                               const std::string& file) {
        const double iterations = state.account.at(iterations_account);
        if (!(iterations >= 0 && iterations <= std::numeric_limits<int>::max() &&
              iterations == std::floor(iterations)))
            throw damaged_state(
                file, fmt::format("its account iterations is {}, no whole number", iterations));
        if (state.account.at(spacing_account) != settings.dp)
            throw damaged_state(file, fmt::format("its account dp is {}, its parameter dp {}",
                                                  state.account.at(spacing_account), settings.dp));
    }
    // Throws Error(usage) if scene or spacing differ from the saved run's; all other parameters may
    // change.
    void check_scene(const Settings& settings, const InitialConditions& conditions) const {
        const Settings own = settings_of(parameters_for(conditions));
        if (own.dp == settings.dp && own.scene == settings.scene) return;
        throw Error(ExitCode::usage,
                    fmt::format("{} has particles of {} with dp = {} m, which cannot go on as {} "
                                "with dp = {} m: leave out --param dp and scene",
                                conditions.input->string(), name_of(own.scene), own.dp,
                                name_of(settings.scene), settings.dp));
    }

    Reference reference_;
};

}  // namespace

std::unique_ptr<Workload> make_sph() {
    return std::make_unique<SphWorkload>();
}

}  // namespace camber
