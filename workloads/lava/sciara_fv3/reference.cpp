#include "workloads/lava/sciara_fv3/reference.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "workloads/lava/active_cells.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"

namespace camber::sciara_fv3 {
namespace {

// One step. Its parts run one after another, each over all cells that it affects.
template <class R>
class Step {
  public:
    Step(const State& from, State& to, const GenerationContext& context, Trigonometry form)
        : size_(from.field(thickness_field).size()),
          threads_(context.threads),
          form_(form),
          outflow_(outflow_parameters<R>(context.parameters)),
          cooling_(cooling_parameters<R>(context.parameters)),
          clock_(clock_parameters<R>(context.parameters)),
          emission_(emission_parameters(context.parameters)),
          vents_(from.field(vents_field).cells<std::uint8_t>()),
          clock_cells_(copied<double>(from, to, clock_field)),
          z_(copied<R>(from, to, altitude_field)),
          h_(copied<R>(from, to, thickness_field)),
          t_(copied<R>(from, to, temperature_field)),
          x_(copied<R>(from, to, momentum_x_field)),
          y_(copied<R>(from, to, momentum_y_field)),
          solid_(copied<R>(from, to, solidified_field)) {}

    // Adds the emission during the last step's duration, because the duration of this step is not
    // computed yet. Returns the total thickness that was added.
    double emit() {
        const R last = counted(static_cast<R>(clock_cells_[0]), clock_);
        double& time = clock_cells_[1];
        double sum = 0;
        for (std::size_t i = 0; i < vents_.size(); ++i) {
            if (vents_[i] == 0) continue;
            const double rate = emission_.rate(vents_[i] - 1, time);
            if (!(rate > 0)) continue;
            const R added = emitted(static_cast<R>(rate), last, static_cast<R>(emission_.side));
            h_[i] += added;
            t_[i] = static_cast<R>(emission_.temperature);
            sum += added;
        }
        time += last;
        return sum;
    }

    // Computes the clock and the outflows for that duration. Returns the number of flows whose
    // distance was out of range.
    double flow_out() {
        source_ = lava::box_of(std::span<const R>(h_), size_);
        if (source_.empty()) source_ = {};
        reached_ = source_.empty() ? source_ : source_.grown(size_);
        const auto cells = static_cast<std::size_t>(source_.rows()) * source_.columns();
        descents_.resize(cells);
        flows_.resize(cells);
        R longest = clock_.longest;
        const int threads = many() ? threads_ : 1;
#pragma omp parallel for num_threads(threads) schedule(static, 4) reduction(min : longest)
        for (int row = source_.first_row; row < source_.end_row; ++row)
            for (int column = source_.first_column; column < source_.end_column; ++column) {
                const std::size_t i = index(row, column);
                if (!(h_[i] > 0)) continue;
                Descent<R>& d = descents_[source_index(row, column)];
                d = descent_at(row, column);
                longest = std::min(longest, longest_step(d, clock_.longest, outflow_));
            }
        const R clock = clock_.relaxation * longest;
        clock_cells_[0] = clock;
        std::int64_t clamped = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 4) reduction(+ : clamped)
        for (int row = source_.first_row; row < source_.end_row; ++row)
            for (int column = source_.first_column; column < source_.end_column; ++column) {
                const std::size_t s = source_index(row, column);
                flows_[s] = {};
                if (!(h_[index(row, column)] > 0)) continue;
                outflows(descents_[s], clock, outflow_, flows_[s]);
                clamped += out_of_range(descents_[s], clock);
            }
        return static_cast<double>(clamped);
    }

    void exchange(Order order) {
        mixed_.assign(static_cast<std::size_t>(reached_.rows()) * reached_.columns(), {});
        if (order == Order::gather)
            gather();
        else
            scatter(order);
    }

    void settle() {
        const R clock = static_cast<R>(clock_cells_[0]);
        each_reached([&](int row, int column) {
            const std::size_t i = index(row, column);
            const Mixture<R>& mixture = mixed_[reached_index(row, column)];
            const R temperature = mixture.thickness > 0 ? mixture.heat / mixture.thickness : t_[i];
            const Settled<R> cell = settled<R>({z_[i], mixture.thickness, temperature,
                                                mixture.momentum_x, mixture.momentum_y, solid_[i]},
                                               clock, cooling_);
            z_[i] = cell.altitude;
            h_[i] = cell.thickness;
            t_[i] = cell.temperature;
            x_[i] = cell.momentum_x;
            y_[i] = cell.momentum_y;
            solid_[i] = cell.solidified;
        });
    }

  private:
    template <class T>
    static std::span<T> copied(const State& from, State& to, const char* name) {
        const auto source = from.field(name).cells<T>();
        const auto target = to.field(name).cells<T>();
        std::memcpy(target.data(), source.data(), source.size_bytes());
        return target;
    }
    std::size_t index(int row, int column) const {
        return static_cast<std::size_t>(row) * size_.columns + column;
    }
    std::size_t source_index(int row, int column) const {
        return source_.index(row, column);
    }
    std::size_t reached_index(int row, int column) const {
        return reached_.index(row, column);
    }
    bool on_board(int row, int column) const {
        return row >= 0 && row < size_.rows && column >= 0 && column < size_.columns;
    }
    // With fewer cells, the loop ends before other threads wake up.
    bool many() const {
        return reached_.rows() * reached_.columns() > 10'000;
    }
    template <class F>
    void each_reached(const F& f) const {
        const int threads = many() ? threads_ : 1;
#pragma omp parallel for num_threads(threads) schedule(static, 4)
        for (int row = reached_.first_row; row < reached_.end_row; ++row)
            for (int column = reached_.first_column; column < reached_.end_column; ++column)
                f(row, column);
    }

    Descent<R> descent_at(int row, int column) const {
        const std::size_t i = index(row, column);
        Surroundings<R> cell;
        cell.temperature = t_[i];
        cell.momentum_x = x_[i];
        cell.momentum_y = y_[i];
        for (int k = 0; k <= neighbours; ++k) {
            const int r = row + row_offset(k);
            const int c = column + column_offset(k);
            const bool there = on_board(r, c);
            cell.altitude[k] = there ? z_[index(r, c)] : R(-1);
            cell.thickness[k] = there ? h_[index(r, c)] : R(0);
        }
        return form_ == Trigonometry::branching ? descent<Trigonometry::branching>(cell, outflow_)
                                                : descent<Trigonometry::if_free>(cell, outflow_);
    }
    int out_of_range(const Descent<R>& d, R clock) const {
        int count = 0;
        for (int k = 1; k <= neighbours; ++k) {
            if (!d.reaches(k)) continue;
            const R distance = motion(d, k, clock, outflow_).distance;
            count += !(distance >= 0 && distance <= outflow_.side);
        }
        return count;
    }

    // Outflows of a cell; none if the cell has no lava or is outside.
    const Outflows<R>& outflows_of(int row, int column) const {
        static const Outflows<R> none{};
        return source_.has(row, column) ? flows_[source_index(row, column)] : none;
    }
    // Cell before the exchange.
    Mixture<R> before(int row, int column) const {
        const std::size_t i = index(row, column);
        Staying<R> cell{h_[i], t_[i], x_[i], y_[i], 0};
        for (const R flow : outflows_of(row, column).thickness) cell.outflow += flow;
        return cell.mixture(outflow_.loss);
    }
    void gather() {
        each_reached([&](int row, int column) {
            const R t = t_[index(row, column)];
            const Outflows<R>& own = outflows_of(row, column);
            Mixture<R> mixture = before(row, column);
            for (int k = 1; k <= neighbours; ++k) {
                const int r = row + row_offset(k);
                const int c = column + column_offset(k);
                const Outflows<R>& theirs = outflows_of(r, c);
                const int back = opposite(k);
                mixture.give(own.thickness[k - 1], t);
                mixture.take(back, theirs.thickness[back - 1], theirs.speed[back - 1],
                             on_board(r, c) ? t_[index(r, c)] : R(0));
            }
            mixed_[reached_index(row, column)] = mixture;
        });
    }
    void scatter(Order order) {
        for (int row = reached_.first_row; row < reached_.end_row; ++row)
            for (int column = reached_.first_column; column < reached_.end_column; ++column)
                mixed_[reached_index(row, column)] = before(row, column);
        const auto hand_out = [&](int row, int column) {
            const Outflows<R>& own = outflows_of(row, column);
            const R t = t_[index(row, column)];
            for (int k = 1; k <= neighbours; ++k) {
                const R flow = own.thickness[k - 1];
                if (!(flow > 0)) continue;
                mixed_[reached_index(row, column)].give(flow, t);
                mixed_[reached_index(row + row_offset(k), column + column_offset(k))].take(
                    k, flow, own.speed[k - 1], t);
            }
        };
        if (order == Order::scatter_by_columns)
            for (int column = source_.first_column; column < source_.end_column; ++column)
                for (int row = source_.first_row; row < source_.end_row; ++row)
                    hand_out(row, column);
        else
            for (int row = source_.first_row; row < source_.end_row; ++row)
                for (int column = source_.first_column; column < source_.end_column; ++column)
                    hand_out(row, column);
    }

    Size size_;
    int threads_;
    Trigonometry form_;
    OutflowParameters<R> outflow_;
    CoolingParameters<R> cooling_;
    ClockParameters<R> clock_;
    Emission emission_;
    std::span<const std::uint8_t> vents_;
    std::span<double> clock_cells_;  // duration of the last step, and time
    std::span<R> z_;
    std::span<R> h_;
    std::span<R> t_;
    std::span<R> x_;
    std::span<R> y_;
    std::span<R> solid_;
    lava::Box source_;   // contains all lava at the start of the step
    lava::Box reached_;  // contains all lava at the end of the step
    std::vector<Descent<R>> descents_;
    std::vector<Outflows<R>> flows_;
    std::vector<Mixture<R>> mixed_;
};

}  // namespace

template <class R>
void step(const State& from, State& to, const GenerationContext& context, Order order,
          Trigonometry form) {
    Step<R> step(from, to, context, form);
    const double emitted = step.emit();
    const double clamped = step.flow_out();
    step.exchange(order);
    step.settle();
    to.account = from.account;
    to.account[emitted_account] += emitted;
    to.account[clamped_account] += clamped;
}
template void step<float>(const State&, State&, const GenerationContext&, Order, Trigonometry);
template void step<double>(const State&, State&, const GenerationContext&, Order, Trigonometry);

}  // namespace camber::sciara_fv3
