#include "workloads/water/surface_water/reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/water/surface_water/physics.hpp"

namespace camber::surface_water {
namespace {

// One value per cell, passed from one pass to the next. It is not initialized, so that the threads
// that write it map its pages.
template <class T>
class Scratch {
  public:
    explicit Scratch(Size size)
        : cells_(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size.cells()))) {}
    T& operator[](std::ptrdiff_t i) { return cells_[static_cast<std::size_t>(i)]; }
    T operator[](std::ptrdiff_t i) const { return cells_[static_cast<std::size_t>(i)]; }

  private:
    std::unique_ptr<T[]> cells_;
};

// Calls f(column, index) for all cells of a row.
template <class F>
void each_cell_of_row(Size size, int row, F&& f) {
    for (int column = 0; column < size.columns; ++column)
        f(column, static_cast<std::ptrdiff_t>(row) * size.columns + column);
}

// Calls f(index, diagonal) for the neighbors on the board, in the order of each_neighbour().
template <class F>
void each_neighbour_on_board(Size size, int row, int column, F&& f) {
    const bool inside = row > 0 && row + 1 < size.rows && column > 0 && column + 1 < size.columns;
    const std::ptrdiff_t i = static_cast<std::ptrdiff_t>(row) * size.columns + column;
    each_neighbour([&](int, int dcol, int drow) {
        const int r = row + drow;
        const int c = column + dcol;
        if (inside || (r >= 0 && r < size.rows && c >= 0 && c < size.columns))
            f(i + static_cast<std::ptrdiff_t>(drow) * size.columns + dcol, dcol != 0 && drow != 0);
    });
}

// Sum of sums per row, which does not depend on the number of threads, and hardly on the board
// size.
double sum(const std::vector<double>& rows) {
    return std::accumulate(rows.begin(), rows.end(), 0.0);
}

}  // namespace

template <class T>
void generation(const State& from, State& to, const GenerationContext& context) {
    const HostField& depth_field = from.field("depth");
    const Size size = depth_field.size();
    const T* const depth = depth_field.cells<T>().data();
    const T* const terrain = from.field("terrain").cells<T>().data();
    const T* const infiltration = from.field("infiltration").cells<T>().data();
    T* const result = to.field("depth").cells<T>().data();
    const FlowParameters<T> flow = flow_parameters<T>(context.parameters);
    const T rain = rain_parameters<T>(context.parameters).later(context.number).now();
    const int threads = context.threads;

    const T* const clock = from.has("clock") ? from.field("clock").cells<T>().data() : nullptr;
    T* const new_clock = clock ? to.field("clock").cells<T>().data() : nullptr;

    Scratch<T> wet(size), discharge(size), per_drop(size);
    std::vector<double> rained(size.rows), soaked(size.rows), lost(size.rows), gained(size.rows);
    std::vector<double> courant(size.rows);

    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row) {
            each_cell_of_row(size, row, [&](int, std::ptrdiff_t i) {
                wet[i] = 0;
                if (is_inert(terrain[i])) return;
                const T before = depth[i] + rain;
                const T loss = infiltrated(before, infiltration[i], flow.dt);
                wet[i] = before - loss;
                rained[row] += rain;
                soaked[row] += loss;
            });
        }
    });

    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row) {
            each_cell_of_row(size, row, [&](int column, std::ptrdiff_t i) {
                discharge[i] = per_drop[i] = 0;
                if (clock) new_clock[i] = 0;
                if (!(wet[i] > 0)) return;
                Drops<T> drops;
                each_neighbour_on_board(size, row, column, [&](std::ptrdiff_t j, bool diagonal) {
                    drops.add(drop(terrain[i], wet[i], terrain[j], wet[j]), diagonal);
                });
                const T cells = courant_number(velocity(wet[i], drops, flow), flow);
                Loss<T> loss;
                if (clock) {
                    const TimedLoss<T> timed = loss_by_clock(clock[i], wet[i], drops, flow);
                    loss = timed.loss;
                    new_clock[i] = timed.clock;
                } else {
                    loss = loss_of(smaller(T(1), cells), wet[i], drops);
                }
                discharge[i] = loss.discharge;
                per_drop[i] = loss.per_drop;
                lost[row] += loss.discharge;
                courant[row] = std::max<double>(courant[row], cells);
            });
        }
    });

    parallel_rows(threads, size.rows, [&](int first, int last) {
        for (int row = first; row < last; ++row) {
            each_cell_of_row(size, row, [&](int column, std::ptrdiff_t i) {
                result[i] = 0;
                if (is_inert(terrain[i])) return;
                T gain = 0;
                each_neighbour_on_board(size, row, column, [&](std::ptrdiff_t j, bool) {
                    gain += share(per_drop[j], drop(terrain[j], wet[j], terrain[i], wet[i]));
                });
                result[i] = clock ? wet[i] + (gain - discharge[i]) : (wet[i] - discharge[i]) + gain;
                gained[row] += gain;
            });
        }
    });

    to.account = from.account;
    to.account[rained_account] += sum(rained);
    to.account[infiltrated_account] += sum(soaked);
    to.account[lost_account] += sum(lost);
    to.account[gained_account] += sum(gained);
    double& largest = to.account[courant_account];
    for (const double number : courant) largest = std::max(largest, number);
}

template <class T>
double water(const State& state) {
    const auto depth = state.field("depth").cells<T>();
    const auto terrain = state.field("terrain").cells<T>();
    const Size size = state.field("depth").size();
    std::vector<double> rows(size.rows);
#pragma omp parallel for schedule(static) if (size.cells() >= 1 << 20)
    for (int row = 0; row < size.rows; ++row)
        each_cell_of_row(size, row, [&](int, std::ptrdiff_t i) {
            if (!is_inert(terrain[i])) rows[row] += depth[i];
        });
    return sum(rows);
}

template void generation<float>(const State&, State&, const GenerationContext&);
template void generation<double>(const State&, State&, const GenerationContext&);
template double water<float>(const State&);
template double water<double>(const State&);

namespace {

float valley_altitude(Size size, std::int64_t row, std::int64_t column, std::uint64_t noise) {
    const std::int64_t across = 20000 * std::abs(2 * (column % 97) - 97) / 97;
    const std::int64_t along = 12000 * std::abs(2 * (row % 61) - 61) / 61;
    const std::int64_t millimetres = 1800000 + 200 * (size.rows - 1 - row) + across + along +
                                     static_cast<std::int64_t>(noise % 250);
    return static_cast<float>(millimetres) * 0.001f;
}

// Activates all cells except the outermost. altitude(row, column, index) returns a cell's altitude;
// NaN leaves the cell inert.
template <class T, class Altitude>
State ground(Size size, std::uint64_t seed, const Altitude& altitude) {
    State state = inert_state<T>(size);
    const auto terrain = state.field("terrain").cells<T>();
    const auto infiltration = state.field("infiltration").cells<T>();
    for (int row = 1; row + 1 < size.rows; ++row)
        for (int column = 1; column + 1 < size.columns; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * size.columns + column;
            const float z = altitude(row, column, i);
            if (std::isnan(z)) continue;
            terrain[i] = z;
            infiltration[i] = (mix(seed + 7, i) >> 63 ? 5e-3f : 2e-3f) / 3600.f;
        }
    return state;
}

}  // namespace

template <class T>
State inert_state(Size size) {
    State state;
    for (const char* field : {"terrain", "depth", "infiltration"})
        state.fields.emplace_back(field, element_of<T>(), size);
    std::ranges::fill(state.field("terrain").cells<T>(), inert_terrain<T>);
    std::ranges::fill(state.field("infiltration").cells<T>(), inert_infiltration<T>);
    for (const char* entry :
         {rained_account, infiltrated_account, lost_account, gained_account, courant_account})
        state.account[entry] = 0;
    return state;
}

template <class T>
void add_clocks(State& state) {
    state.fields.emplace_back("clock", element_of<T>(), state.field("depth").size());
}

template <class T>
State valley(Size size, std::uint64_t seed) {
    return ground<T>(size, seed, [&](int row, int column, std::size_t i) {
        return valley_altitude(size, row, column, mix(seed + 6, i));
    });
}

template <class T>
State dry_terrain(const AsciiGrid& given, std::uint64_t seed) {
    return ground<T>(given.header.size, seed, [&](int, int, std::size_t i) {
        return given.has_data(i) ? static_cast<float>(given.values[i]) : std::nanf("");
    });
}

template State inert_state<float>(Size);
template State inert_state<double>(Size);
template void add_clocks<float>(State&);
template void add_clocks<double>(State&);
template State valley<float>(Size, std::uint64_t);
template State valley<double>(Size, std::uint64_t);
template State dry_terrain<float>(const AsciiGrid&, std::uint64_t);
template State dry_terrain<double>(const AsciiGrid&, std::uint64_t);

}  // namespace camber::surface_water
