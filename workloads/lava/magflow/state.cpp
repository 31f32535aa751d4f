#include "workloads/lava/magflow/state.hpp"

#include <numeric>

#include "workloads/core/real_cells.hpp"
#include "workloads/lava/cells.hpp"

namespace camber::magflow {
namespace {

double at(const std::vector<double>& raster, std::size_t i) {
    return raster.empty() ? 0 : raster[i];
}

template <class R>
void fill(State& state, const lava::Event& event, double capacity) {
    const auto cells = [&](const char* field) { return state.field(field).cells<R>(); };
    const auto altitude = cells(altitude_field), thickness = cells(thickness_field),
               solidified = cells(solidified_field), heat = cells(heat_field),
               temperature = cells(temperature_field);
    for (std::size_t i = 0; i < altitude.size(); ++i) {
        const bool ground = event.altitude[i] >= 0;
        altitude[i] = static_cast<R>(ground ? event.altitude[i] - at(event.solidified, i) : wall);
        if (!ground) continue;
        solidified[i] = static_cast<R>(at(event.solidified, i));
        const double h = at(event.thickness, i);
        const double t = at(event.temperature, i);
        if (!(h > 0 && t > 0)) continue;
        thickness[i] = static_cast<R>(h);
        temperature[i] = static_cast<R>(t);
        heat[i] = static_cast<R>(capacity * h * t);
    }
}

}  // namespace

State initial_state(const lava::Event& event, ElementType cell, double capacity) {
    const Size size = event.map.size;
    State state;
    for (const char* field :
         {altitude_field, thickness_field, solidified_field, heat_field, temperature_field})
        state.fields.emplace_back(field, cell, size);
    state.fields.emplace_back(vents_field, ElementType::uint8, size);
    state.fields.emplace_back(time_field, ElementType::float64, Size{1, 1});
    if (cell == ElementType::float32)
        fill<float>(state, event, capacity);
    else
        fill<double>(state, event, capacity);
    lava::number_vents(state.field(vents_field), event.vents, event.rates);
    state.account = {{initial_account,
                      total(state.field(thickness_field)) + total(state.field(solidified_field))},
                     {emitted_account, 0}};
    return state;
}

double total(const HostField& field) {
    return with_real_cells(field, [&](auto cells) {
        double sum = 0;
        const auto columns = static_cast<std::size_t>(field.size().columns);
        // Row by row, so that little is lost to rounding.
        for (std::size_t first = 0; first < cells.size(); first += columns) {
            const auto row = cells.subspan(first, columns);
            sum += std::accumulate(row.begin(), row.end(), 0.0);
        }
        return sum;
    });
}

bool edge_reached(const State& state) {
    const Size size = state.field(thickness_field).size();
    const auto has_lava = [&](const char* field) {
        return with_real_cells(state.field(field), [&](auto cells) {
            const auto at = [&](int row, int column) {
                return cells[static_cast<std::size_t>(row) * size.columns + column] > 0;
            };
            for (int row = 0; row < size.rows; ++row)
                if (at(row, 0) || at(row, size.columns - 1)) return true;
            for (int column = 0; column < size.columns; ++column)
                if (at(0, column) || at(size.rows - 1, column)) return true;
            return false;
        });
    };
    return has_lava(thickness_field) || has_lava(solidified_field);
}

}  // namespace camber::magflow
