// Workload `water_flow`: facts, initial states and output of water that finds its level on a
// terrain.
#include "workloads/core/factories.hpp"

#include "workloads/core/board_fields.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/core/terrain_workload.hpp"
#include "workloads/water/water_flow/reference.hpp"
#include "workloads/water/water_flow/rule.hpp"
#include "workloads/water/water_flow/rules.hpp"

namespace camber {
namespace {

class WaterFlowWorkload final : public TerrainWorkload, public HasBoardFields {
  public:
    WaterFlowWorkload()
        : TerrainWorkload(
              {.name = "water_flow",
               .summary = "Water that finds its level on a terrain, with a source and a drain",
               .source = "Topa and Mlocek 2013",
               .written_fields = {"level"},
               .stored = {.values = 3},
               // Best levels read terrain and level, and write the best level; distribution reads
               // terrain, level, sources and best level, and writes the level.
               .moved = {.values = 3 + 5},
               .account = {{"added", +1}, {"drained", -1}}}) {}

    WorkloadCapabilities capabilities() const override { return {.board_fields = this}; }
    std::vector<BoardField> fields(ElementType cell) const override {
        return with_real_type(
            cell, []<class R>(R) { return fields_of_rules<water_flow::WaterFlowStep<R>>(); });
    }

    State start_of(const InitialConditions& conditions) const override {
        const std::uint64_t seed = conditions.seed + 20;
        return with_real_type(conditions.cell, [&]<class T>(T) {
            return conditions.input ? water_flow::flooded_terrain<T>(read_terrain(conditions), seed)
                                    : water_flow::random_state<T>(conditions.size, seed);
        });
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        with_real_type(from.field("level").element(), [&]<class T>(T) {
            const water_flow::Exchange exchange =
                water_flow::step<T>(from, to, context.threads, water_flow::Form::network);
            to.account = from.account;
            to.account["added"] += exchange.added;
            to.account["drained"] += exchange.drained;
        });
    }

    FinalState final_state(const State& state) const override {
        const HostField& level = state.field("level");
        Checksum checksum;
        checksum.add(level.bytes());
        const double mass = with_real_type(level.element(),
                                           [&]<class T>(T) { return water_flow::water<T>(state); });
        return {"mass", mass, checksum.value(), state.account};
    }

    void save(const State& state, const std::filesystem::path& path,
              const Run& run) const override {
        save_depth(state, "level", path, run, []<class T>(T terrain, T level) -> std::optional<T> {
            if (terrain < water_flow::outside_level<T>) return level - terrain;
            return std::nullopt;
        });
        save_state(*this, state, path, run, run.parameters);
    }
};

}  // namespace

std::unique_ptr<Workload> make_water_flow() {
    return std::make_unique<WaterFlowWorkload>();
}

}  // namespace camber
