#include "workloads/sciara_fv3/state.hpp"

#include <algorithm>
#include <numeric>

namespace camber::sciara_fv3 {
namespace {

// Calls f with the field's cells as a span of its type.
template <class Field, class F>
auto with_cells(Field& field, const F& f) {
    return field.element() == ElementType::float32 ? f(field.template cells<float>())
                                                   : f(field.template cells<double>());
}

}  // namespace

State bare_state(Size size, ElementType cell, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates) {
    State state;
    for (const char* field : {altitude_field, thickness_field, temperature_field, momentum_x_field,
                              momentum_y_field, solidified_field})
        state.fields.emplace_back(field, cell, size);
    state.fields.emplace_back(vents_field, ElementType::uint8, size);
    state.fields.emplace_back(clock_field, ElementType::float64, clock_size);
    assign(state.field(altitude_field), altitude);
    const auto numbers = state.field(vents_field).cells<std::uint8_t>();
    for (const lava::VentCell& vent : vents)
        numbers[static_cast<std::size_t>(vent.row) * size.columns + vent.column] =
            static_cast<std::uint8_t>(rates.index_of(vent.id) + 1);
    open_account(state);
    return state;
}

void open_account(State& state) {
    const double lava = total(state.field(thickness_field)) + total(state.field(solidified_field));
    state.account = {{initial_account, lava}, {emitted_account, 0}, {clamped_account, 0}};
}

void assign(HostField& field, std::span<const double> values) {
    with_cells(field, [&]<class R>(std::span<R> cells) {
        std::ranges::transform(values, cells.begin(),
                               [](double value) { return static_cast<R>(value); });
    });
}

std::vector<double> values_of(const HostField& field) {
    return with_cells(field,
                      [](auto cells) { return std::vector<double>(cells.begin(), cells.end()); });
}

double total(const HostField& field) {
    return with_cells(field,
                      [](auto cells) { return std::accumulate(cells.begin(), cells.end(), 0.0); });
}

}  // namespace camber::sciara_fv3
