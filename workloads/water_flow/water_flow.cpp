#include "workloads/water_flow/water_flow.hpp"

#include <type_traits>
#include <vector>

#include "workloads/checksum.hpp"
#include "workloads/grid_file/terrain.hpp"
#include "workloads/water_flow/initial.hpp"
#include "workloads/water_flow/reference.hpp"
#include "workloads/water_flow/rule.hpp"

namespace camber {
namespace {

// Calls f with a zero of the type that the fields hold.
template <class F>
auto with_type(ElementType cell, const F& f) {
    if (cell == ElementType::float64) return f(double{});
    return f(float{});
}

class WaterFlowWorkload final : public Workload {
  public:
    std::string_view name() const override { return "water_flow"; }
    std::string_view summary() const override {
        return "Water that finds its level on a terrain, with a source and a drain";
    }
    std::string_view source() const override { return "Topa and Mlocek 2013"; }
    std::vector<ElementType> cell_types() const override { return {ElementType::float32}; }
    std::vector<Boundary> boundaries() const override { return {Boundary::dead}; }

    std::string_view file_format() const override { return "ESRI ASCII grid"; }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return read_ascii_grid_header(path).size;
    }

    State initial(const InitialConditions& conditions) const override {
        const std::uint64_t seed = conditions.seed + 20;
        return with_type(conditions.cell, [&]<class T>(T) {
            return conditions.input ? water_flow::flooded_terrain<T>(read_terrain(conditions), seed)
                                    : water_flow::random_state<T>(conditions.size, seed);
        });
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        with_type(from.field("level").element(), [&]<class T>(T) {
            const water_flow::Exchange exchange =
                water_flow::step<T>(from, to, context.threads,
                                    std::is_same_v<T, float> ? water_flow::Form::network
                                                             : water_flow::Form::elimination);
            to.account = from.account;
            to.account["added"] += exchange.added;
            to.account["drained"] += exchange.drained;
        });
    }
    bool writes(std::string_view field) const override { return field == "level"; }

    double stored_bytes_per_cell(ElementType cell) const override { return 3.0 * info(cell).size; }
    // Best levels: terrain and level read, best level written; distribution: terrain, level,
    // sources and best level read, level written.
    double application_bytes_per_cell(ElementType cell) const override {
        return 8.0 * info(cell).size;
    }

    FinalState final_state(const State& state) const override {
        const HostField& level = state.field("level");
        Checksum checksum;
        for (const std::byte byte : level.bytes()) checksum.add(static_cast<std::uint8_t>(byte));
        const double mass =
            with_type(level.element(), [&]<class T>(T) { return water_flow::water<T>(state); });
        return {"mass", mass, checksum.value(), state.account};
    }

    std::vector<AccountEntry> account_entries() const override {
        return {{"added", +1}, {"drained", -1}};
    }

    // The depth of the water; cells without ground are without data. A state knows no place on the
    // map and a grid has no comment: the corner is 0, 0, the unit a cell's side, and `comment` gets
    // lost.
    void save(const State& state, const std::filesystem::path& path,
              const std::string& /*comment*/) const override {
        const HostField& level = state.field("level");
        with_type(level.element(), [&]<class T>(T) {
            const auto terrain = state.field("terrain").cells<T>();
            std::vector<T> depth(level.cells<T>().begin(), level.cells<T>().end());
            constexpr T no_data = -9999;
            for (std::size_t i = 0; i < depth.size(); ++i)
                depth[i] =
                    terrain[i] < water_flow::outside_level<T> ? depth[i] - terrain[i] : no_data;
            write_ascii_grid_file<T>(path, {.size = level.size(), .no_data = no_data}, depth);
        });
    }
};

}  // namespace

std::unique_ptr<Workload> make_water_flow() {
    return std::make_unique<WaterFlowWorkload>();
}

}  // namespace camber
