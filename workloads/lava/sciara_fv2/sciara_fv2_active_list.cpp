// SCIARA-fv2 on a list of active cells, in place.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "workloads/lava/active_list.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"

namespace camber::sciara_fv2 {
namespace {

class ActiveListReference final : public InPlaceReference {
  public:
    ActiveListReference(State& state, const GenerationContext& context)
        : columns_(state.field(thickness_field).size().columns),
          threads_(context.threads),
          outflow_(outflow_parameters(context.parameters)),
          cooling_(cooling_parameters(context.parameters)),
          emission_(emission_parameters(context.parameters)),
          state_(state),
          frame_(state.field(frame_field).cells<std::uint8_t>()),
          vents_(state.field(vents_field).cells<std::uint8_t>()),
          z_(state.field(altitude_field).cells<double>()),
          h_(state.field(thickness_field).cells<double>()),
          t_(state.field(temperature_field).cells<double>()),
          solid_(state.field(solidified_field).cells<double>()),
          flows_(h_.size()),
          list_(state.field(thickness_field).size(),
                [this](std::size_t i) { return is_active(i); }) {
        for (std::size_t i = 0; i < vents_.size(); ++i)
            if (vents_[i] != 0) vent_cells_.push_back(i);
    }

    void step(int number) override {
        double emitted = 0;
        for (const std::size_t i : vent_cells_) {
            const double added = emission_.thickness(vents_[i] - 1, std::int64_t{number} + 1);
            h_[i] += added;
            t_[i] = emission_.vent_temperature;
            emitted += added;
        }
        const std::size_t cells = list_.cells().size();
        mixed_.resize(cells);
        changes_.resize(cells);
        each_listed(list_, threads_, [this](std::size_t at, std::size_t i) {
            changes_[at] = flow_out(i) ? Change::flows_to_frame : Change::none;
        });
        lost_.clear();
        for (std::size_t at = 0; at < cells; ++at)
            if (changes_[at] == Change::flows_to_frame) lose_flows(list_.cells()[at]);
        each_listed(list_, threads_,
                    [this](std::size_t at, std::size_t i) { mixed_[at] = exchange(i); });
        each_listed(list_, threads_, [this](std::size_t at, std::size_t i) {
            changes_[at] = settle(i, mixed_[at]);
        });
        for (std::size_t at = 0; at < cells; ++at) {
            const std::size_t i = list_.cells()[at];
            if (changes_[at] == Change::reached) list_.add_around(i);
            if (changes_[at] == Change::frame_with_lava) {
                lost_[static_cast<int>(i / columns_)] += h_[i];
                h_[i] = 0;
            }
        }
        list_.merge();
        if (++since_pruning_ == lava::steps_between_prunings) {
            since_pruning_ = 0;
            list_.prune([this](std::size_t i) { return is_active(i); },
                        [this](std::size_t i) { flows_[i] = {}; });
        }
        double lost = 0;
        for (const auto& [row, of_row] : lost_) lost += of_row;
        state_.account[emitted_account] += emitted;
        state_.account[lost_account] += lost;
    }

  private:
    using Flows = std::array<double, neighbours>;
    struct Lava {
        double h;
        double t;
    };
    enum class Change : std::uint8_t { none, reached, flows_to_frame, frame_with_lava };

    bool is_active(std::size_t i) const { return h_[i] > 0 || vents_[i] != 0; }
    // Cells that take part have all neighbors: the outermost ring belongs to the frame.
    std::size_t neighbour(std::size_t i, int k) const {
        return list_.neighbour(i, column_offset(k), row_offset(k));
    }

    // Returns true if lava flows to the frame.
    bool flow_out(std::size_t i) {
        Flows& flows = flows_[i];
        if (frame_[i] || !(h_[i] > 0)) {
            flows.fill(0);
            return false;
        }
        double heads[neighbours + 1];
        heads[0] = z_[i];
        for (int k = 1; k <= neighbours; ++k) {
            const std::size_t j = neighbour(i, k);
            heads[k] = head(k, z_[i], z_[j], h_[j]);
        }
        double result[neighbours];
        outflows(heads, h_[i], t_[i], outflow_, result);
        bool to_frame = false;
        for (int k = 1; k <= neighbours; ++k) {
            flows[k - 1] = result[k - 1];
            to_frame = to_frame || (frame_[neighbour(i, k)] && result[k - 1] != 0);
        }
        return to_frame;
    }
    void lose_flows(std::size_t i) {
        for (int k = 1; k <= neighbours; ++k)
            if (frame_[neighbour(i, k)]) lost_[static_cast<int>(i / columns_)] += flows_[i][k - 1];
    }
    Lava exchange(std::size_t i) const {
        const Lava before{h_[i], t_[i]};
        if (frame_[i]) return before;
        bool any = before.h > 0;
        for (int k = 1; k <= neighbours && !any; ++k) any = h_[neighbour(i, k)] > 0;
        if (!any) return before;
        Mixture mixture(before.h, before.t);
        for (int k = 1; k <= neighbours; ++k) {
            const std::size_t j = neighbour(i, k);
            mixture.exchange(flows_[j][opposite(k) - 1], t_[j], flows_[i][k - 1], before.t);
        }
        if (!(mixture.thickness > 0)) return before;
        return {mixture.thickness, mixture.heat / mixture.thickness};
    }
    Change settle(std::size_t i, const Lava& lava) {
        if (frame_[i]) {
            t_[i] = 0;
            return h_[i] != 0 ? Change::frame_with_lava : Change::none;
        }
        const bool had_lava = h_[i] > 0;
        h_[i] = lava.h;
        t_[i] = lava.t;
        if (!(lava.h > 0)) return Change::none;
        t_[i] = cooled(lava.t, lava.h, cooling_);
        if (t_[i] > cooling_.solid) return had_lava ? Change::none : Change::reached;
        z_[i] += lava.h;
        solid_[i] += lava.h;
        h_[i] = 0;
        t_[i] = cooling_.solid;
        return Change::none;
    }

    int columns_;
    int threads_;
    OutflowParameters outflow_;
    CoolingParameters cooling_;
    Emission emission_;
    State& state_;
    std::span<const std::uint8_t> frame_, vents_;
    std::span<double> z_, h_, t_, solid_;
    std::vector<std::size_t> vent_cells_;
    std::vector<Flows> flows_;  // of every cell of the board; zero outside the list
    lava::ActiveList list_;
    std::vector<Lava> mixed_;  // by position in the list, as the next
    std::vector<Change> changes_;
    std::map<int, double> lost_;  // per row, in the order of the plain reference
    int since_pruning_ = 0;
};

}  // namespace

std::vector<ReferenceForm> active_list_forms() {
    const auto start = [](State& state, const GenerationContext& context) {
        return std::unique_ptr<InPlaceReference>(
            std::make_unique<ActiveListReference>(state, context));
    };
    std::vector<ReferenceForm> forms;
    for (const bool all_cores : {false, true})
        forms.push_back({.name = all_cores ? "active_list_threads" : "active_list",
                         .summary = all_cores ? "the same list, shared by the CPU's threads"
                                              : "a list of active cells, in place",
                         .cell = ElementType::float64,
                         .generation = {},
                         .start = start,
                         .is_exact = true,
                         .on_all_cores = all_cores});
    return forms;
}

}  // namespace camber::sciara_fv2
