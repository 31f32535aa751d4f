#include "workloads/surface_water/surface_water.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "workloads/checksum.hpp"
#include "workloads/grid_file/terrain.hpp"
#include "workloads/surface_water/initial.hpp"
#include "workloads/surface_water/parameters.hpp"
#include "workloads/surface_water/reference.hpp"

namespace camber {
namespace {

using namespace surface_water;

// Calls f with a zero of the type that the fields hold.
template <class F>
auto with_type(ElementType cell, const F& f) {
    if (cell == ElementType::float64) return f(double{});
    return f(float{});
}

// How far depths in float may be from those in double: 20 times as far as they were in the
// benchmark (463x358 cells of the valley). In between a power of the time, which errors grow with.
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

class SurfaceWaterWorkload final : public Workload {
  public:
    std::string_view name() const override { return "surface_water"; }
    std::string_view summary() const override {
        return "Rain that runs off over a terrain and seeps away, Parsons-type";
    }
    std::string_view source() const override {
        return "Balasalle 2011, chapter 6, after Parsons; formulas and terrain are camber's";
    }
    std::vector<ElementType> cell_types() const override { return {ElementType::float32}; }
    std::optional<Size> usual_size() const override { return Size{463, 358}; }
    std::vector<Boundary> boundaries() const override { return {Boundary::dead}; }
    std::vector<ParameterInfo> parameters() const override { return surface_water::parameters(); }

    std::string_view file_format() const override { return "ESRI ASCII grid"; }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return read_ascii_grid_header(path).size;
    }

    State initial(const InitialConditions& conditions) const override {
        return with_type(conditions.cell, [&]<class T>(T) {
            return conditions.input ? dry_terrain<T>(read_terrain(conditions), conditions.seed)
                                    : valley<T>(conditions.size, conditions.seed);
        });
    }

    void generation(const State& from, State& to, const GenerationContext& context) const override {
        with_type(from.field("depth").element(),
                  [&]<class T>(T) { surface_water::generation<T>(from, to, context); });
    }
    ElementType reference_type(ElementType) const override { return ElementType::float64; }
    Tolerance tolerance(int generations) const override {
        return {.absolute = depth_tolerance(generations), .relative = 0, .total = 1e-4};
    }
    bool writes(std::string_view field) const override { return field == "depth"; }

    double stored_bytes_per_cell(ElementType cell) const override { return 3.0 * info(cell).size; }
    // Rain reads and writes the depth; infiltration reads its rate as well; flow reads terrain and
    // depth and writes the depth: 8 + 12 + 12 bytes of float.
    double application_bytes_per_cell(ElementType cell) const override {
        return 8.0 * info(cell).size;
    }

    FinalState final_state(const State& state) const override {
        const HostField& depth = state.field("depth");
        Checksum checksum;
        for (const std::byte byte : depth.bytes()) checksum.add(static_cast<std::uint8_t>(byte));
        const double mass =
            with_type(depth.element(), [&]<class T>(T) { return surface_water::water<T>(state); });
        return {"mass", mass, checksum.value(), state.account};
    }

    std::vector<AccountEntry> account_entries() const override {
        using namespace surface_water;
        return {{rained_account, +1},
                {infiltrated_account, -1},
                {lost_account, -1},
                {gained_account, +1}};
    }

    // The depth, in m; inert cells are without data. A state knows no place on the map and a grid
    // has no comment: the corner is 0, 0, the unit a cell's side, and `comment` gets lost.
    void save(const State& state, const std::filesystem::path& path,
              const std::string& /*comment*/) const override {
        const HostField& depth = state.field("depth");
        with_type(depth.element(), [&]<class T>(T) {
            const auto terrain = state.field("terrain").cells<T>();
            std::vector<T> values(depth.cells<T>().begin(), depth.cells<T>().end());
            constexpr T no_data = -9999;
            for (std::size_t i = 0; i < values.size(); ++i)
                if (is_inert(terrain[i])) values[i] = no_data;
            write_ascii_grid_file<T>(path, {.size = depth.size(), .no_data = no_data}, values);
        });
    }
};

}  // namespace

std::unique_ptr<Workload> make_surface_water() {
    return std::make_unique<SurfaceWaterWorkload>();
}

}  // namespace camber
