#include "workloads/lava/sciara_fv2/reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "workloads/lava/active_cells.hpp"
#include "workloads/lava/fields.hpp"

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

namespace {

using lava::Box;
using lava::box_of;

// One step. Its parts run one after another, each over all rows that it affects.
class Step {
  public:
    Step(const State& from, State& to, const GenerationContext& context)
        : size_(from.field(thickness_field).size()),
          threads_(context.threads),
          outflow_(outflow_parameters(context.parameters)),
          cooling_(cooling_parameters(context.parameters)),
          emission_(emission_parameters(context.parameters)),
          frame_(from.field(frame_field).cells<std::uint8_t>()),
          vents_(from.field(vents_field).cells<std::uint8_t>()),
          z_(copied(from, to, altitude_field)),
          h_(copied(from, to, thickness_field)),
          t_(copied(from, to, temperature_field)),
          solid_(copied(from, to, solidified_field)) {
        const auto is_vent = [](std::uint8_t number) { return number != 0; };
        for (auto vent = vents_.begin();
             (vent = std::find_if(vent, vents_.end(), is_vent)) != vents_.end(); ++vent)
            vent_cells_.push_back(static_cast<std::size_t>(vent - vents_.begin()));
    }

    // Adds the emission of step n, counted from 1, and returns the total thickness that was added.
    double emit(std::int64_t n) {
        double sum = 0;
        for (const std::size_t i : vent_cells_) {
            const double added = emission_.thickness(vents_[i] - 1, n);
            h_[i] += added;
            t_[i] = emission_.vent_temperature;
            sum += added;
        }
        return sum;
    }

    // Bounding box of all cells with lava or vents.
    Box active() const {
        Box box = box_of(std::span<const double>(h_), size_);
        for (const std::size_t i : vent_cells_)
            box.include(static_cast<int>(i / size_.columns), static_cast<int>(i % size_.columns));
        return box;
    }

    // Moves, cools and solidifies lava. `lava` must contain all cells with lava. Returns the
    // thickness lost to the frame.
    double run(const Box& lava) {
        if (lava.empty()) return 0;
        source_ = lava;
        flows_.resize(static_cast<std::size_t>(lava.rows()) * lava.columns());
        const Box reached = lava.grown(size_);
        mixed_.resize(static_cast<std::size_t>(reached.rows()) * reached.columns());
        lost_.assign(size_.rows, 0);
        each_cell(lava, [&](int row, int column, std::size_t i) { flow_out(row, column, i); });
        each_cell(reached, [&](int row, int column, std::size_t i) {
            mixed_[reached.index(row, column)] = exchange(row, column, i);
        });
        each_cell(reached, [&](int row, int column, std::size_t i) {
            settle(row, i, mixed_[reached.index(row, column)]);
        });
        double lost = 0;
        for (const double of_row : lost_) lost += of_row;
        return lost;
    }

    Size size() const { return size_; }

  private:
    using Flows = std::array<double, neighbours>;
    struct Lava {
        double h;
        double t;
    };

    static std::span<double> copied(const State& from, State& to, const char* name) {
        const auto source = from.field(name).cells<double>();
        const auto target = to.field(name).cells<double>();
        std::memcpy(target.data(), source.data(), source.size_bytes());
        return target;
    }
    template <class F>
    void each_cell(const Box& box, const F& f) const {
        // With fewer cells, the loop ends before other threads wake up.
        const bool many = box.rows() * box.columns() > 10'000;
#pragma omp parallel for num_threads(threads_) schedule(static, 4) if (many)
        for (int row = box.first_row; row < box.end_row; ++row)
            for (int column = box.first_column; column < box.end_column; ++column)
                f(row, column, static_cast<std::size_t>(row) * size_.columns + column);
    }
    std::size_t neighbour(std::size_t i, int k) const {
        return i + static_cast<std::ptrdiff_t>(row_offset(k)) * size_.columns + column_offset(k);
    }

    void flow_out(int row, int column, std::size_t i) {
        Flows& flows = flows_[source_.index(row, column)];
        flows.fill(0);
        if (frame_[i] || !(h_[i] > 0)) return;
        double heads[neighbours + 1];
        heads[0] = z_[i];
        for (int k = 1; k <= neighbours; ++k) {
            const std::size_t j = neighbour(i, k);
            heads[k] = head(k, z_[i], z_[j], h_[j]);
        }
        double result[neighbours];
        outflows(heads, h_[i], t_[i], outflow_, result);
        for (int k = 1; k <= neighbours; ++k) {
            flows[k - 1] = result[k - 1];
            if (frame_[neighbour(i, k)]) lost_[row] += result[k - 1];
        }
    }

    double flow(int row, int column, int k) const {
        return source_.has(row, column) ? flows_[source_.index(row, column)][k - 1] : 0;
    }

    Lava exchange(int row, int column, std::size_t i) const {
        const Lava before{h_[i], t_[i]};
        if (frame_[i]) return before;
        bool any = before.h > 0;
        for (int k = 1; k <= neighbours && !any; ++k) any = h_[neighbour(i, k)] > 0;
        if (!any) return before;
        Mixture mixture(before.h, before.t);
        for (int k = 1; k <= neighbours; ++k)
            mixture.exchange(flow(row + row_offset(k), column + column_offset(k), opposite(k)),
                             t_[neighbour(i, k)], flow(row, column, k), before.t);
        if (!(mixture.thickness > 0)) return before;
        return {mixture.thickness, mixture.heat / mixture.thickness};
    }

    void settle(int row, std::size_t i, const Lava& lava) {
        if (frame_[i]) {
            lost_[row] += h_[i];
            h_[i] = t_[i] = 0;
            return;
        }
        h_[i] = lava.h;
        t_[i] = lava.t;
        if (!(lava.h > 0)) return;
        t_[i] = cooled(lava.t, lava.h, cooling_);
        if (t_[i] > cooling_.solid) return;
        z_[i] += lava.h;
        solid_[i] += lava.h;
        h_[i] = 0;
        t_[i] = cooling_.solid;
    }

    Size size_;
    int threads_;
    OutflowParameters outflow_;
    CoolingParameters cooling_;
    Emission emission_;
    std::span<const std::uint8_t> frame_;
    std::span<const std::uint8_t> vents_;
    std::span<double> z_;
    std::span<double> h_;
    std::span<double> t_;
    std::span<double> solid_;
    std::vector<std::size_t> vent_cells_;
    Box source_;  // area for which flows_ is set; there are no flows elsewhere
    std::vector<Flows> flows_;
    std::vector<Lava> mixed_;
    std::vector<double> lost_;  // per row, so that the order of additions is fixed
};

}  // namespace

void step(const State& from, State& to, const GenerationContext& context, Coverage extent) {
    Step step(from, to, context);
    const double emitted = step.emit(std::int64_t{context.number} + 1);
    const Box lava = extent == Coverage::board ? Box{0, step.size().rows, 0, step.size().columns}
                                               : step.active();
    const double lost = step.run(lava);
    to.account = from.account;
    to.account[emitted_account] += emitted;
    to.account[lost_account] += lost;
}

int steps_by_rule(const State& initial, GenerationContext context) {
    const StopRule rule = stop_rule(context.parameters);
    const Emission emission = emission_parameters(context.parameters);
    constexpr int most = 10'000'000;
    State state = initial;
    State other = initial;
    double total = -1;
    for (int n = 0;;) {
        const std::int64_t made = emission.first_step + n;
        const double time = static_cast<double>(made) * emission.clock;
        if (!rule.goes_on(made, time, emission.duration(), total)) return n;
        if (n == most)
            throw Error(ExitCode::usage,
                        "the rule does not end the run within ten million steps: raise the "
                        "parameter threshold or lower max_steps");
        context.number = n;
        step(state, other, context);
        std::swap(state, other);
        ++n;
        if ((emission.first_step + n) % rule.reduce_interval == 0)
            total = tree_sum(state.field(thickness_field).cells<double>());
    }
}

}  // namespace camber::sciara_fv2
