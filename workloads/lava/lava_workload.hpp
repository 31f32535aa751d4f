// Common base of all lava workloads, and the cumulative emission of a vent, which does not depend
// on step lengths.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/core/optional_interfaces.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/results.hpp"

namespace camber::lava {

// Cumulative emission of a vent by a given time, independent of the lengths of the steps.

// Emission rates of a vent, one for each time slot, from time 0 on, and none afterwards.
struct RateCurve {
    std::span<const double> rates;  // m^3/s
    double slot_length = 1;         // s
    bool linear = false;            // between the slots' beginnings; else constant in a slot
};

// The curves of a table: the rates of the first vent slot by slot, then those of the second.
std::vector<RateCurve> curves_of(std::span<const double> table, int slots, double slot_length,
                                 bool linear = false);

struct Supply {
    double volume = 0;  // given, m^3
    // By how much the rate has changed, all changes added, m^3/s. Steps that take the rate at their
    // beginning give up to this times the longest step more or less than `volume`.
    double variation = 0;
};

// From 0 to `time`, s.
Supply supply(const RateCurve& curve, double time);

// Not 0 where the thickness is above 0.
std::vector<std::uint8_t> covered(std::span<const double> thickness);

// Adds to what `flow` was supplied with what its vents gave until its time, which it must have.
// `vents`: 0 or the number of the vent, of each cell; `curves`: of a cell of the first vent, of the
// second; `longest_step` in s; `area` of a cell, m^2.
void add_supply(Flow& flow, std::span<const std::uint8_t> vents,
                const std::vector<RateCurve>& curves, double longest_step, double area);

// Common base of all lava workloads.

// Starts from the folder of an event and saves one: a derived class says how, in save().
class LavaWorkload : public Workload, public Eruption {
  public:
    ParameterSet parameters_for(const InitialConditions& conditions) const final;
    State initial(const InitialConditions& conditions) const final;
    std::string input_note(const InitialConditions& conditions) const final;
    std::optional<Size> input_size(const std::filesystem::path& path) const final;
    void check_save_path(const std::filesystem::path& path) const final;
    const Eruption* eruption() const final { return this; }
    std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const final;

  protected:
    // Completes the facts by boundary and file format.
    explicit LavaWorkload(WorkloadFacts facts);

    // Summary of a final state: the checksum of the fields that a generation writes, in the order
    // of the state, the reference's account, and the share of cells with fluid lava. `liquid` and
    // `solid` are sums of the thicknesses, m.
    FinalState summary_of(const State& state, double liquid, double solid) const;

    // Writes the folder of an event (save_results()) with the state from which a run can resume.
    // `parameters`: of such a run.
    void save_event(const State& state, const std::filesystem::path& path, const Run& run,
                    const Event& event, const Rasters& rasters,
                    const ParameterSet& parameters) const;

  private:
    virtual ParameterSet parameters_of(const Event& event) const = 0;
    // Throws Error for values that no run can have.
    virtual void check_parameters(const ParameterSet& set) const = 0;
    // The start of an event of which no state was saved.
    virtual State start_of(const InitialConditions& conditions) const = 0;
};

// Cells with fluid lava over all cells. `thickness`: of fluid lava, float32 or float64.
double active_share(const HostField& thickness);
// In FinalState::account.
inline constexpr const char* active_share_account = "active_share";

}  // namespace camber::lava
