// MAGFLOW on a list of active cells, each pair of cells once, in place: as the CPU program of
// Bilotta et al. 2011 (section on active cells) computes it, without its language and its I/O.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "harness/base/error.hpp"
#include "workloads/lava/active_list.hpp"
#include "workloads/lava/magflow/reference.hpp"

namespace camber::magflow {
namespace {

template <class R, bool compensated>
class ActiveListReference final : public InPlaceReference {
  public:
    ActiveListReference(State& state, const GenerationContext& context)
        : threads_(context.threads),
          flow_(flow_parameters<R>(context.parameters)),
          update_(update_parameters<R>(context.parameters)),
          effusion_(effusion(context.parameters)),
          lagged_(magflow::lagged(context.parameters)),
          state_(state),
          altitude_(state.field(altitude_field).cells<R>()),
          thickness_(state.field(thickness_field).cells<R>()),
          solidified_(state.field(solidified_field).cells<R>()),
          heat_(state.field(heat_field).cells<R>()),
          temperature_(state.field(temperature_field).cells<R>()),
          vents_(state.field(vents_field).cells<std::uint8_t>()),
          time_(state.field(time_field).cells<double>()[0]),
          rates_(static_cast<std::size_t>(effusion_.vents)),
          pairs_(thickness_.size()),
          list_(state.field(thickness_field).size(),
                [this](std::size_t i) { return is_active(i); }) {
        for (std::size_t i = 0; i < vents_.size(); ++i)
            if (vents_[i] != 0) vent_cells_.push_back(i);
    }

    void step(int number) override {
        for (int vent = 0; vent < effusion_.vents; ++vent)
            rates_[static_cast<std::size_t>(vent)] = static_cast<R>(effusion_.at(vent, time_));
        each_listed(list_, threads_, [this](std::size_t, std::size_t i) { exchange_pairs(i); });
        const std::size_t cells = list_.cells().size();
        volume_.resize(cells);
        heat_flux_.resize(cells);
        limit_.resize(cells);
        each_listed(list_, threads_, [this](std::size_t at, std::size_t i) { add_up(at, i); });
        R allowed = flow_.longest_step;
        for (const R limit : limit_)
            if (!(limit >= allowed)) allowed = limit;
        R dt = allowed;
        if (lagged_)
            if (const auto before = state_.account.find(allowed_account);
                before != state_.account.end())
                dt = static_cast<R>(before->second);
        if (!(dt > 0 && std::isfinite(dt))) refuse(number, dt);
        changes_.resize(cells);
        each_listed(list_, threads_,
                    [this, dt](std::size_t at, std::size_t i) { changes_[at] = update(at, i, dt); });
        for (std::size_t at = 0; at < cells; ++at) {
            if (changes_[at] == Change::broken) refuse(number, dt);
            if (changes_[at] == Change::reached) list_.add_around(list_.cells()[at]);
        }
        list_.merge();
        if (++since_pruning_ == lava::steps_between_prunings) prune();
        time_ += static_cast<double>(dt);
        double emitted = 0;
        for (const std::size_t i : vent_cells_)
            emitted += static_cast<double>(rates_[vents_[i] - 1]) * dt / update_.area;
        state_.account[emitted_account] += emitted;
        if (lagged_) state_.account[allowed_account] = static_cast<double>(allowed);
    }

  private:
    enum class Change : std::uint8_t { none, reached, broken };
    // Exchanges with the neighbors 0, 2, 4 and 6. The opposite ones compute theirs with this cell.
    struct Pairs {
        Exchange<R> with[neighbours / 2] = {};
    };

    bool is_active(std::size_t i) const { return thickness_[i] > 0 || vents_[i] != 0; }
    Lava<R> lava_at(std::size_t i) const {
        return {altitude_[i] + solidified_[i], thickness_[i], temperature_[i]};
    }
    bool has_neighbour(std::size_t i, int k) const {
        return list_.has_neighbour(i, column_offset(k), row_offset(k));
    }
    std::size_t neighbour(std::size_t i, int k) const {
        return list_.neighbour(i, column_offset(k), row_offset(k));
    }

    void exchange_pairs(std::size_t i) {
        const Lava<R> own = lava_at(i);
        Pairs& pairs = pairs_[i];
        for (int k = 0; k < neighbours; k += 2) {
            Exchange<R>& pair = pairs.with[k / 2];
            pair = {};
            if (!has_neighbour(i, k)) continue;
            const std::size_t j = neighbour(i, k);
            if (own.thickness > 0 || thickness_[j] > 0)
                pair = exchange(own, lava_at(j), flow_.distance[is_diagonal(k)], flow_);
        }
    }
    // Adds the exchanges of a cell in the order of the neighbors.
    void add_up(std::size_t at, std::size_t i) {
        CellFlux<R, compensated> total(vents_[i] == 0 ? R(0) : rates_[vents_[i] - 1], flow_);
        for (int k = 0; k < neighbours; k += 2) {
            total.add(pairs_[i].with[k / 2]);
            total.add(has_neighbour(i, k + 1) ? pairs_[neighbour(i, k + 1)].with[k / 2].reversed()
                                              : Exchange<R>{});
        }
        volume_[at] = total.volume.value;
        heat_flux_[at] = total.heat.value;
        limit_[at] = step_limit(thickness_[i], total.outflow, flow_);
    }
    Change update(std::size_t at, std::size_t i, R dt) {
        const bool had_lava = thickness_[i] > 0;
        if (!had_lava && volume_[at] == 0 && heat_flux_[at] == 0) return Change::none;
        const Cell<R> cell =
            updated(Cell<R>{thickness_[i], solidified_[i], heat_[i], temperature_[i]}, volume_[at],
                    heat_flux_[at], dt, update_);
        thickness_[i] = cell.thickness;
        solidified_[i] = cell.solidified;
        heat_[i] = cell.heat;
        temperature_[i] = cell.temperature;
        if (!std::isfinite(cell.thickness) || !std::isfinite(cell.heat)) return Change::broken;
        return !had_lava && cell.thickness > 0 ? Change::reached : Change::none;
    }
    void prune() {
        since_pruning_ = 0;
        list_.prune([this](std::size_t i) { return is_active(i); },
                    [this](std::size_t i) { pairs_[i] = {}; });
    }
    [[noreturn]] static void refuse(int number, R dt) {
        throw Error(ExitCode::unavailable,
                    fmt::format("lava cannot be computed beyond step {}: a step of {} s, or a cell "
                                "that is no finite number; check terrain and parameters",
                                number, static_cast<double>(dt)));
    }

    int threads_;
    FlowParameters<R> flow_;
    UpdateParameters<R> update_;
    Effusion effusion_;
    bool lagged_;
    State& state_;
    std::span<const R> altitude_;
    std::span<R> thickness_, solidified_, heat_, temperature_;
    std::span<const std::uint8_t> vents_;
    double& time_;
    std::vector<R> rates_;  // of the vents in this step
    std::vector<std::size_t> vent_cells_;
    std::vector<Pairs> pairs_;  // of every cell of the board; zero outside the list
    lava::ActiveList list_;
    std::vector<R> volume_, heat_flux_, limit_;  // by position in the list, as the next
    std::vector<Change> changes_;
    int since_pruning_ = 0;
};

template <class R>
std::unique_ptr<InPlaceReference> start(State& state, const GenerationContext& context) {
    if (compensated(context.parameters))
        return std::make_unique<ActiveListReference<R, true>>(state, context);
    return std::make_unique<ActiveListReference<R, false>>(state, context);
}

}  // namespace

std::vector<ReferenceForm> active_list_forms() {
    std::vector<ReferenceForm> forms;
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        for (const bool all_cores : {false, true})
            forms.push_back(
                {.name = all_cores ? "active_list_threads" : "active_list",
                 .summary = all_cores ? "the same list, shared by the CPU's threads"
                                      : "a list of active cells, each pair of cells once, in place",
                 .cell = cell,
                 .generation = {},
                 .start = cell == ElementType::float32 ? start<float> : start<double>,
                 .is_exact = true,
                 .on_all_cores = all_cores});
    return forms;
}

}  // namespace camber::magflow
