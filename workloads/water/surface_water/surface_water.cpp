// Workloads `surface_water` and `surface_water_clock`: facts, initial states, tolerance and output
// of rain that runs off over a terrain.
#include "workloads/core/factories.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/core/board_fields.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/core/terrain_workload.hpp"
#include "workloads/water/surface_water/reference.hpp"
#include "workloads/water/surface_water/physics.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber {
namespace {

using namespace surface_water;

// Tolerance of depths in float against double: 20 times the difference in the benchmark (463x358
// cells of the valley). Between the measured times, errors are interpolated as a power of the time.
double depth_tolerance(int generations) {
    struct Point {
        double generations;
        double difference;  // m
    };
    constexpr std::array<Point, 5> measured{
        {{1, 6.2e-13}, {10, 2.5e-11}, {100, 1.5e-9}, {250, 1.2e-8}, {500, 2.5e-7}}};
    constexpr double factor = 20;
    if (generations <= 1) return factor * measured[0].difference;
    std::size_t upper = 1;
    while (upper + 1 < measured.size() && measured[upper].generations < generations) ++upper;
    const Point& a = measured[upper - 1];
    const Point& b = measured[upper];
    const double power =
        std::log(b.difference / a.difference) / std::log(b.generations / a.generations);
    return factor * a.difference * std::pow(generations / a.generations, power);
}

WorkloadFacts surface_water_facts() {
    return {.name = "surface_water",
            .summary = "Rain that runs off over a terrain and seeps away, Parsons-type",
            .source = "Balasalle 2011, chapter 6, after Parsons; formulas and terrain are camber's",
            .reference_type = ElementType::float64,
            .usual_size = Size{463, 358},
            .parameters = surface_water::parameters(),
            .written_fields = {"depth"},
            .stored = {.values = 3},
            // Rain reads and writes the depth; infiltration also reads its rate; flow reads terrain
            // and depth and writes the depth.
            .moved = {.values = 2 + 3 + 3},
            .account = {{rained_account, +1},
                        {infiltrated_account, -1},
                        {lost_account, -1},
                        {gained_account, +1}}};
}

// Both forms of surface water.
class WaterWorkload : public TerrainWorkload, public HasReferenceForms {
  public:
    // Adds the passes of the first form, the fourth of which writes to neighbors.
    std::vector<ReferenceForm> reference_forms() const override {
        return {{"five_passes", "five passes in turn, cells write into their neighbours",
                 ElementType::float32,
                 [](const State& from, State& to, const GenerationContext& context,
                    const PassEnded& ended) {
                     form_a_generation<float>(from, to, context, Order::row_major, ended);
                 }}};
    }

    void check_parameters(const ParameterSet& set) const override {
        flow_parameters<float>(set);
        rain_parameters<float>(set);
    }
    State start_of(const InitialConditions& conditions) const override {
        return with_real_type(conditions.cell, [&]<class T>(T) {
            return conditions.input ? dry_terrain<T>(read_terrain(conditions), conditions.seed)
                                    : valley<T>(conditions.size, conditions.seed);
        });
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        with_real_type(from.field("depth").element(),
                       [&]<class T>(T) { surface_water::generation<T>(from, to, context); });
    }
    Tolerance tolerance(const Computation& computation) const override {
        // Double has 29 binary digits more than float; nine of them are a margin.
        const double scale = computation.cell == ElementType::float64 ? 0x1p-20 : 1;
        return {.absolute = scale * depth_tolerance(computation.generations),
                .relative = 0,
                .total = scale * 1e-4};
    }

    FinalState final_state(const State& state) const override {
        const HostField& depth = state.field("depth");
        Checksum checksum;
        checksum.add(depth.bytes());
        const double mass = with_real_type(
            depth.element(), [&]<class T>(T) { return surface_water::water<T>(state); });
        return {"mass", mass, checksum.value(), state.account};
    }

    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        save_depth(state, "depth", path, run, []<class T>(T terrain, T depth) -> std::optional<T> {
            if (is_inert(terrain)) return std::nullopt;
            return depth;
        });
        ParameterSet later = run.parameters;
        later.set("rain_steps", {std::max(0.0, later.value("rain_steps") - run.generations)});
        save_state(*this, state, path, run, later);
    }

  protected:
    using TerrainWorkload::TerrainWorkload;
};

class SurfaceWaterWorkload final : public WaterWorkload, public HasBoardFields {
  public:
    SurfaceWaterWorkload() : WaterWorkload(surface_water_facts()) {}

    WorkloadCapabilities capabilities() const override {
        return {.board_fields = this, .reference_forms = this};
    }
    std::vector<BoardField> fields(ElementType cell) const override {
        return with_real_type(cell, []<class R>(R) {
            return fields_of_rules<surface_water::Rain<R>, surface_water::Infiltration<R>,
                                   surface_water::Flow<R>>();
        });
    }
};

WorkloadFacts surface_water_clock_facts() {
    WorkloadFacts facts = surface_water_facts();
    facts.name = "surface_water_clock";
    facts.summary = "Rain over a terrain in the first form: cells hand water out by a clock";
    facts.written_fields = {"depth", "clock"};
    facts.stored = {.values = 4};
    // The passes of the first form: rain, infiltration, and the rest in one, with the clock.
    facts.moved = {.values = 2 + 3 + 5};
    return facts;
}

// First form of the model (Balasalle 2011, sections 6.1 to 6.3).
class SurfaceWaterClockWorkload final : public WaterWorkload {
  public:
    SurfaceWaterClockWorkload() : WaterWorkload(surface_water_clock_facts()) {}

    WorkloadCapabilities capabilities() const override { return {.reference_forms = this}; }
    State start_of(const InitialConditions& conditions) const override {
        State state = WaterWorkload::start_of(conditions);
        with_real_type(conditions.cell, [&]<class T>(T) { add_clocks<T>(state); });
        return state;
    }
    // A rounding error can shift a release by a generation: the cell, its neighbors and their clocks
    // then differ. The shares are multiples of those in the benchmark (463x358 cells of the valley,
    // 500 generations): 269 of 129117 depths in float differ by more than 1e-6 m from those in
    // double, and 164 clocks; in double, cells in reversed order change two clocks, and no depth by
    // more than 1e-16 m.
    Tolerance tolerance(const Computation& computation) const override {
        Tolerance tolerance = WaterWorkload::tolerance(computation);
        const bool is_double = computation.cell == ElementType::float64;
        tolerance.outliers = is_double ? 1e-4 : 1.5e-2;
        // Clocks are whole numbers.
        tolerance.absolute_of = {{"clock", 0.5}};
        tolerance.total = 1e-4;
        return tolerance;
    }
};

}  // namespace

std::unique_ptr<Workload> make_surface_water() {
    return std::make_unique<SurfaceWaterWorkload>();
}
std::unique_ptr<Workload> make_surface_water_clock() {
    return std::make_unique<SurfaceWaterClockWorkload>();
}

}  // namespace camber
