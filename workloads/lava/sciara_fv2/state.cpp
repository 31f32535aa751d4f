#include "workloads/lava/sciara_fv2/state.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "workloads/lava/cells.hpp"

namespace camber::sciara_fv2 {
namespace {

void mark_frame(State& state) {
    const Size size = state.field(frame_field).size();
    const auto frame = state.field(frame_field).cells<std::uint8_t>();
    const auto altitude = state.field(altitude_field).cells<double>();
    const auto unknown = [&](int row, int column) {
        return altitude[static_cast<std::size_t>(row) * size.columns + column] < 0;
    };
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) {
            bool marked = false;
            for (int r = row - 1; r <= row + 1; ++r)
                for (int c = column - 1; c <= column + 1; ++c)
                    marked = marked || r < 0 || r >= size.rows || c < 0 || c >= size.columns ||
                             unknown(r, c);
            frame[static_cast<std::size_t>(row) * size.columns + column] = marked;
        }
}

}  // namespace

State bare_state(Size size, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates) {
    State state;
    for (const char* field : {altitude_field, thickness_field, temperature_field, solidified_field})
        state.fields.emplace_back(field, ElementType::float64, size);
    for (const char* field : {frame_field, vents_field})
        state.fields.emplace_back(field, ElementType::uint8, size);
    std::ranges::copy(altitude, state.field(altitude_field).cells<double>().begin());
    mark_frame(state);

    lava::number_vents(state.field(vents_field), vents, rates);
    open_account(state);
    return state;
}

void open_account(State& state) {
    const double liquid = tree_sum(state.field(thickness_field).cells<double>());
    const double solid = tree_sum(state.field(solidified_field).cells<double>());
    state.account = {{initial_account, liquid + solid}, {emitted_account, 0}, {lost_account, 0}};
}

double tree_sum(std::span<const double> values) {
    if (values.size() <= 1) return values.empty() ? 0 : values[0];
    const std::size_t half = std::bit_floor(values.size() - 1);
    return tree_sum(values.first(half)) + tree_sum(values.subspan(half));
}

}  // namespace camber::sciara_fv2
