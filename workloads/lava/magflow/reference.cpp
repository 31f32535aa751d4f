#include "workloads/lava/magflow/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "harness/base/error.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/lava/active_cells.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/magflow/parameters.hpp"
#include "workloads/lava/magflow/rules.hpp"

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
        // Adds row by row to reduce rounding errors.
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

namespace {

using lava::Box;

std::size_t cells_of(const Box& box) {
    return static_cast<std::size_t>(box.rows()) * box.columns();
}

// Fields that a step reads.
template <class R>
struct Fields {
    explicit Fields(const State& state)
        : size(state.field(thickness_field).size()),
          altitude(state.field(altitude_field).cells<R>()),
          thickness(state.field(thickness_field).cells<R>()),
          solidified(state.field(solidified_field).cells<R>()),
          heat(state.field(heat_field).cells<R>()),
          temperature(state.field(temperature_field).cells<R>()),
          vents(state.field(vents_field).cells<std::uint8_t>()) {}

    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row) * size.columns + column;
    }

    Size size;
    std::span<const R> altitude, thickness, solidified, heat, temperature;
    std::span<const std::uint8_t> vents;
    std::vector<R> rates;  // of the vents in this step
};

// Neighborhood of one cell.
template <class R>
struct At {
    const Fields<R>& fields;
    int row;
    int column;

    R operator()(Altitude<R, 1> tag, int dcol, int drow) const {
        return read(tag, fields.altitude, dcol, drow);
    }
    R operator()(Solidified<R, 1> tag, int dcol, int drow) const {
        return read(tag, fields.solidified, dcol, drow);
    }
    R operator()(Thickness<R, 1> tag, int dcol, int drow) const {
        return read(tag, fields.thickness, dcol, drow);
    }
    R operator()(Temperature<R, 1> tag, int dcol, int drow) const {
        return read(tag, fields.temperature, dcol, drow);
    }
    std::uint8_t operator()(Vents tag, int dcol, int drow) const {
        return read(tag, fields.vents, dcol, drow);
    }
    R operator()(Emission<R>, int, int) const {
        return fields.rates[fields.vents[fields.index(row, column)] - 1];
    }

  private:
    template <class Tag, class T>
    T read(Tag, std::span<const T> cells, int dcol, int drow) const {
        const int r = row + drow;
        const int c = column + dcol;
        if (r < 0 || r >= fields.size.rows || c < 0 || c >= fields.size.columns)
            return Tag::outside();
        return cells[fields.index(r, c)];
    }
};

template <class R>
struct Fluxes {
    std::vector<R> volume, heat, limit;
    explicit Fluxes(std::size_t cells) : volume(cells), heat(cells), limit(cells) {}
};

template <class R, bool compensated>
class Step {
  public:
    using Rule = Flux<R, compensated>;

    Step(const State& from, const GenerationContext& context)
        : fields_(from),
          threads_(context.threads),
          flow_(flow_parameters<R>(context.parameters)),
          update_(update_parameters<R>(context.parameters)) {
        const Effusion effusion = magflow::effusion(context.parameters);
        const double time = from.field(time_field).cells<double>()[0];
        for (int vent = 0; vent < effusion.vents; ++vent)
            fields_.rates.push_back(static_cast<R>(effusion.at(vent, time)));
    }

    Box board() const { return {0, fields_.size.rows, 0, fields_.size.columns}; }

    // Bounding box of the cells with fluid lava or vents, extended by a halo of one cell.
    Box active() const {
        const Size size = fields_.size;
        Box box{size.rows, 0, size.columns, 0};
        for (int row = 0; row < size.rows; ++row) {
            const auto active = [&](int column) {
                const std::size_t i = fields_.index(row, column);
                return fields_.thickness[i] > 0 || fields_.vents[i] != 0;
            };
            int first = 0;
            while (first < size.columns && !active(first)) ++first;
            if (first == size.columns) continue;
            int last = size.columns - 1;
            while (!active(last)) --last;
            box.include(row, first);
            box.include(row, last);
        }
        return box.empty() ? Box{} : box.grown(size);
    }

    Fluxes<R> gather(const Box& box) const {
        Fluxes<R> fluxes(cells_of(box));
        each_row(box, [&](int row) {
            for (int column = box.first_column; column < box.end_column; ++column) {
                const auto result = Rule::next(At<R>{fields_, row, column}, flow_);
                const std::size_t i = box.index(row, column);
                fluxes.volume[i] = get<0>(result);
                fluxes.heat[i] = get<1>(result);
                fluxes.limit[i] = get<2>(result);
            }
        });
        return fluxes;
    }

    Fluxes<R> by_pairs(const Box& box) const {
        using Totals = CellFlux<R, compensated>;
        std::vector<Totals> totals;
        totals.reserve(cells_of(box));
        each_cell(box, [&](int row, int column) {
            totals.emplace_back(Rule::emission(At<R>{fields_, row, column}), flow_);
        });
        std::vector<Exchange<R>> exchanges(cells_of(box));
        for (int k = 0; k < neighbours; k += 2) {
            each_cell(box, [&](int row, int column) {
                const std::size_t i = box.index(row, column);
                exchanges[i] = pair(row, column, k);
                totals[i].add(exchanges[i]);
            });
            each_cell(box, [&](int row, int column) {
                const int r = row + row_offset(k);
                const int c = column + column_offset(k);
                if (box.has(r, c))
                    totals[box.index(r, c)].add(exchanges[box.index(row, column)].reversed());
                // This cell is no cell's neighbor k within the box, so no other iteration computes
                // the pair on the opposite side.
                if (!box.has(row - row_offset(k), column - column_offset(k)))
                    totals[box.index(row, column)].add(pair(row, column, k + 1));
            });
        }
        Fluxes<R> fluxes(cells_of(box));
        each_cell(box, [&](int row, int column) {
            const std::size_t i = box.index(row, column);
            fluxes.volume[i] = totals[i].volume.value;
            fluxes.heat[i] = totals[i].heat.value;
            fluxes.limit[i] =
                step_limit(fields_.thickness[fields_.index(row, column)], totals[i].outflow, flow_);
        });
        return fluxes;
    }

    // Minimum of the steps that the cells allow; NaN if any of them is NaN.
    R shortest(const Fluxes<R>& fluxes) const {
        R least = flow_.longest_step;
        for (const R limit : fluxes.limit)
            if (!(limit >= least)) least = limit;
        return least;
    }

    // Returns true if all results are finite.
    bool update(State& to, const Box& box, const Fluxes<R>& fluxes, R dt) const {
        const auto cells = [&](const char* field) { return to.field(field).cells<R>(); };
        const auto thickness = cells(thickness_field), solidified = cells(solidified_field),
                   heat = cells(heat_field), temperature = cells(temperature_field);
        std::vector<char> finite(fields_.size.rows, 1);
        each_row(box, [&](int row) {
            for (int column = box.first_column; column < box.end_column; ++column) {
                const std::size_t i = fields_.index(row, column);
                const std::size_t b = box.index(row, column);
                const Cell<R> cell = updated({fields_.thickness[i], fields_.solidified[i],
                                              fields_.heat[i], fields_.temperature[i]},
                                             fluxes.volume[b], fluxes.heat[b], dt, update_);
                thickness[i] = cell.thickness;
                solidified[i] = cell.solidified;
                heat[i] = cell.heat;
                temperature[i] = cell.temperature;
                if (!std::isfinite(cell.thickness) || !std::isfinite(cell.heat)) finite[row] = 0;
            }
        });
        return std::ranges::all_of(finite, [](char row) { return row != 0; });
    }

    // Thickness that the vents emit in dt seconds, m.
    double emitted(R dt) const {
        double sum = 0;
        for (const std::uint8_t vent : fields_.vents)
            if (vent != 0) sum += static_cast<double>(fields_.rates[vent - 1]) * dt / update_.area;
        return sum;
    }

  private:
    template <class F>
    void each_row(const Box& box, const F& f) const {
        // With fewer cells, the loop ends before other threads wake up.
        [[maybe_unused]] const bool many = cells_of(box) > 10'000;
#pragma omp parallel for num_threads(threads_) schedule(static, 4) if (many)
        for (int row = box.first_row; row < box.end_row; ++row) f(row);
    }
    // Visits the cells sequentially.
    template <class F>
    static void each_cell(const Box& box, const F& f) {
        for (int row = box.first_row; row < box.end_row; ++row)
            for (int column = box.first_column; column < box.end_column; ++column) f(row, column);
    }
    Exchange<R> pair(int row, int column, int k) const {
        const At<R> at{fields_, row, column};
        return exchange(Rule::lava(at, 0, 0), Rule::lava(at, column_offset(k), row_offset(k)),
                        flow_.distance[is_diagonal(k)], flow_);
    }

    Fields<R> fields_;
    int threads_;
    FlowParameters<R> flow_;
    UpdateParameters<R> update_;
};

void copy(const State& from, State& to) {
    for (const char* name : {thickness_field, solidified_field, heat_field, temperature_field}) {
        const auto source = from.field(name).bytes();
        std::memcpy(to.field(name).bytes().data(), source.data(), source.size());
    }
}

template <class R, bool compensated>
void run(const State& from, State& to, const GenerationContext& context, Coverage extent,
         PairOrder order) {
    const Step<R, compensated> step(from, context);
    const Box box = extent == Coverage::board ? step.board() : step.active();
    const Fluxes<R> fluxes = order == PairOrder::gather ? step.gather(box) : step.by_pairs(box);
    const R allowed = step.shortest(fluxes);
    R dt = allowed;
    if (const auto before = from.account.find(allowed_account);
        before != from.account.end() && lagged(context.parameters))
        dt = static_cast<R>(before->second);
    copy(from, to);
    if (!(dt > 0 && std::isfinite(dt) && step.update(to, box, fluxes, dt)))
        throw Error(ExitCode::unavailable,
                    fmt::format("lava cannot be computed beyond step {}: a step of {} s, or a cell "
                                "that is no finite number; check terrain and parameters",
                                context.number, static_cast<double>(dt)));
    to.field(time_field).cells<double>()[0] =
        from.field(time_field).cells<double>()[0] + static_cast<double>(dt);
    to.account = from.account;
    to.account[emitted_account] += step.emitted(dt);
    if (lagged(context.parameters)) to.account[allowed_account] = static_cast<double>(allowed);
}

}  // namespace

void step(const State& from, State& to, const GenerationContext& context, Coverage extent,
          PairOrder order) {
    const bool carried = compensated(context.parameters);
    if (from.field(thickness_field).element() == ElementType::float32)
        (carried ? run<float, true> : run<float, false>)(from, to, context, extent, order);
    else
        (carried ? run<double, true> : run<double, false>)(from, to, context, extent, order);
}

}  // namespace camber::magflow
