// SCIARA-fv3 on a list of active cells. On one core, cells hand their outflows to the neighbors
// directly, as the thesis' serial program does; several threads gather them instead.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "workloads/lava/active_list.hpp"
#include "workloads/lava/sciara_fv3/fields.hpp"
#include "workloads/lava/sciara_fv3/reference.hpp"

namespace camber::sciara_fv3 {
namespace {

template <class R, bool scatters>
class ActiveListReference final : public InPlaceReference {
  public:
    ActiveListReference(State& state, const GenerationContext& context)
        : threads_(scatters ? 1 : context.threads),
          outflow_(outflow_parameters<R>(context.parameters)),
          cooling_(cooling_parameters<R>(context.parameters)),
          clock_(clock_parameters<R>(context.parameters)),
          emission_(emission_parameters(context.parameters)),
          state_(state),
          vents_(state.field(vents_field).cells<std::uint8_t>()),
          clock_cells_(state.field(clock_field).cells<double>()),
          z_(state.field(altitude_field).cells<R>()),
          h_(state.field(thickness_field).cells<R>()),
          t_(state.field(temperature_field).cells<R>()),
          x_(state.field(momentum_x_field).cells<R>()),
          y_(state.field(momentum_y_field).cells<R>()),
          solid_(state.field(solidified_field).cells<R>()),
          flows_(h_.size()),
          mixed_(h_.size()),
          list_(state.field(thickness_field).size(),
                [this](std::size_t i) { return is_active(i); }) {
        for (std::size_t i = 0; i < vents_.size(); ++i)
            if (vents_[i] != 0) vent_cells_.push_back(i);
    }

    void step(int) override {
        const double emitted = emit();
        const double clamped = flow_out();
        each_listed(list_, threads_, [this](std::size_t, std::size_t i) {
            mixed_[i] = scatters ? before(i) : gathered(i);
        });
        if constexpr (scatters)
            for (const std::size_t i : list_.cells())
                if (h_[i] > 0) hand_out(i);
        const R clock = static_cast<R>(clock_cells_[0]);
        reached_.resize(list_.cells().size());
        each_listed(list_, threads_, [this, clock](std::size_t at, std::size_t i) {
            reached_[at] = settle(i, clock);
        });
        for (std::size_t at = 0; at < reached_.size(); ++at)
            if (reached_[at]) list_.add_around(list_.cells()[at]);
        list_.merge();
        if (++since_pruning_ == lava::steps_between_prunings) {
            since_pruning_ = 0;
            list_.prune([this](std::size_t i) { return is_active(i); },
                        [this](std::size_t i) { flows_[i] = {}; });
        }
        state_.account[emitted_account] += emitted;
        state_.account[clamped_account] += clamped;
    }

  private:
    bool is_active(std::size_t i) const { return h_[i] > 0 || vents_[i] != 0; }
    bool has_neighbour(std::size_t i, int k) const {
        return list_.has_neighbour(i, column_offset(k), row_offset(k));
    }
    std::size_t neighbour(std::size_t i, int k) const {
        return list_.neighbour(i, column_offset(k), row_offset(k));
    }

    double emit() {
        const R last = counted(static_cast<R>(clock_cells_[0]), clock_);
        double& time = clock_cells_[1];
        double sum = 0;
        for (const std::size_t i : vent_cells_) {
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
    double flow_out() {
        const auto cells = list_.cells();
        descents_.resize(cells.size());
        R longest = clock_.longest;
        [[maybe_unused]] const bool many = threads_ > 1 && cells.size() > 10'000;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(min : longest) if (many)
        for (std::size_t at = 0; at < cells.size(); ++at) {
            if (!(h_[cells[at]] > 0)) continue;
            descents_[at] = descent_at(cells[at]);
            longest = std::min(longest, longest_step(descents_[at], clock_.longest, outflow_));
        }
        const R clock = clock_.relaxation * longest;
        clock_cells_[0] = clock;
        std::int64_t clamped = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : clamped) if (many)
        for (std::size_t at = 0; at < cells.size(); ++at) {
            Outflows<R>& flows = flows_[cells[at]];
            if (!(h_[cells[at]] > 0)) {
                flows = {};
                continue;
            }
            outflows(descents_[at], clock, outflow_, flows);
            clamped += out_of_range(descents_[at], clock);
        }
        return static_cast<double>(clamped);
    }
    Descent<R> descent_at(std::size_t i) const {
        Surroundings<R> cell;
        cell.temperature = t_[i];
        cell.momentum_x = x_[i];
        cell.momentum_y = y_[i];
        cell.altitude[0] = z_[i];
        cell.thickness[0] = h_[i];
        for (int k = 1; k <= neighbours; ++k) {
            const bool there = has_neighbour(i, k);
            cell.altitude[k] = there ? z_[neighbour(i, k)] : R(-1);
            cell.thickness[k] = there ? h_[neighbour(i, k)] : R(0);
        }
        return descent<Trigonometry::branching>(cell, outflow_);
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
    Mixture<R> before(std::size_t i) const {
        Staying<R> cell{h_[i], t_[i], x_[i], y_[i], 0};
        for (const R flow : flows_[i].thickness) cell.outflow += flow;
        return cell.mixture(outflow_.loss);
    }
    Mixture<R> gathered(std::size_t i) const {
        Mixture<R> mixture = before(i);
        const R t = t_[i];
        for (int k = 1; k <= neighbours; ++k) {
            mixture.give(flows_[i].thickness[k - 1], t);
            if (!has_neighbour(i, k)) continue;
            const std::size_t j = neighbour(i, k);
            const int back = opposite(k);
            mixture.take(back, flows_[j].thickness[back - 1], flows_[j].speed[back - 1], t_[j]);
        }
        return mixture;
    }
    void hand_out(std::size_t i) {
        const Outflows<R>& own = flows_[i];
        for (int k = 1; k <= neighbours; ++k) {
            const R flow = own.thickness[k - 1];
            if (!(flow > 0)) continue;
            mixed_[i].give(flow, t_[i]);
            mixed_[neighbour(i, k)].take(k, flow, own.speed[k - 1], t_[i]);
        }
    }
    // Returns true if lava has reached the cell.
    bool settle(std::size_t i, R clock) {
        const Mixture<R>& mixture = mixed_[i];
        const bool had_lava = h_[i] > 0;
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
        return !had_lava && cell.thickness > 0;
    }

    int threads_;
    OutflowParameters<R> outflow_;
    CoolingParameters<R> cooling_;
    ClockParameters<R> clock_;
    Emission emission_;
    State& state_;
    std::span<const std::uint8_t> vents_;
    std::span<double> clock_cells_;  // duration of the last step, and time
    std::span<R> z_, h_, t_, x_, y_, solid_;
    std::vector<std::size_t> vent_cells_;
    std::vector<Outflows<R>> flows_;  // of every cell of the board; zero outside the list
    std::vector<Mixture<R>> mixed_;   // of every cell of the board
    lava::ActiveList list_;
    std::vector<Descent<R>> descents_;  // by position in the list, as the next
    std::vector<char> reached_;
    int since_pruning_ = 0;
};

template <class R, bool scatters>
std::unique_ptr<InPlaceReference> start(State& state, const GenerationContext& context) {
    return std::make_unique<ActiveListReference<R, scatters>>(state, context);
}

}  // namespace

std::vector<ReferenceForm> active_list_forms() {
    std::vector<ReferenceForm> forms;
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const bool is_float = cell == ElementType::float32;
        forms.push_back({.name = "active_list",
                         .summary = "a list of active cells, which write into their neighbours",
                         .cell = cell,
                         .generation = {},
                         .start = is_float ? start<float, true> : start<double, true>});
        forms.push_back({.name = "active_list_threads",
                         .summary = "a list of active cells, shared by the CPU's threads",
                         .cell = cell,
                         .generation = {},
                         .start = is_float ? start<float, false> : start<double, false>,
                         .is_exact = true,
                         .on_all_cores = true});
    }
    return forms;
}

}  // namespace camber::sciara_fv3
