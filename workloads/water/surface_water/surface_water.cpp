// Workload `surface_water`: facts, initial states, tolerance and output of rain that runs off over
// a terrain.
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

class SurfaceWaterWorkload final : public TerrainWorkload,
                                   public HasBoardFields,
                                   public HasReferenceForms {
  public:
    SurfaceWaterWorkload() : TerrainWorkload(surface_water_facts()) {}

    WorkloadCapabilities capabilities() const override {
        return {.board_fields = this, .reference_forms = this};
    }
    std::vector<BoardField> fields(ElementType cell) const override {
        return with_real_type(cell, []<class R>(R) {
            return fields_of_rules<surface_water::Rain<R>, surface_water::Infiltration<R>,
                                   surface_water::Flow<R>>();
        });
    }
    // Adds the first form of surface water, in which the fourth of five passes writes to neighbors.
    std::vector<ReferenceForm> reference_forms() const override {
        return {{"five_passes", "five passes in turn, cells write into their neighbours",
                 ElementType::float32,
                 [](const State& from, State& to, const GenerationContext& context,
                    const PassEnded& ended) {
                     using namespace surface_water;
                     form_a_generation<float>(from, to, {}, context, Release::rate,
                                              Order::row_major, ended);
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
};

}  // namespace

std::unique_ptr<Workload> make_surface_water() {
    return std::make_unique<SurfaceWaterWorkload>();
}

}  // namespace camber
