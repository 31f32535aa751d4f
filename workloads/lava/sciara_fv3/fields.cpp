#include "workloads/lava/sciara_fv3/fields.hpp"

#include <algorithm>
#include <numeric>

#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv3 {

State bare_state(Size size, ElementType cell, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates) {
    State state;
    for (const char* field : {altitude_field, thickness_field, temperature_field, momentum_x_field,
                              momentum_y_field, solidified_field})
        state.fields.emplace_back(field, cell, size);
    state.fields.emplace_back(vents_field, ElementType::uint8, size);
    state.fields.emplace_back(clock_field, ElementType::float64, clock_size);
    assign(state.field(altitude_field), altitude);
    lava::number_vents(state.field(vents_field), vents, rates);
    open_account(state);
    return state;
}

void open_account(State& state) {
    const double lava = total(state.field(thickness_field)) + total(state.field(solidified_field));
    state.account = {{initial_account, lava}, {emitted_account, 0}, {clamped_account, 0}};
}

void assign(HostField& field, std::span<const double> values) {
    with_real_cells(field, [&]<class R>(std::span<R> cells) {
        std::ranges::transform(values, cells.begin(),
                               [](double value) { return static_cast<R>(value); });
    });
}

double total(const HostField& field) {
    return with_real_cells(
        field, [](auto cells) { return std::accumulate(cells.begin(), cells.end(), 0.0); });
}

}  // namespace camber::sciara_fv3
