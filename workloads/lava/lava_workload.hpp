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

// Cumulative emission of vents. It is independent of step lengths, so it verifies runs with
// variable steps.

// Emission rates of a vent, one per time slot, starting at time 0; no emission after the last slot.
struct RateCurve {
    std::span<const double> rates;  // m^3/s
    double slot_length = 1;         // s
    bool linear = false;            // interpolated between slots; else constant in a slot
};

// Converts a table, which contains the rates of the first vent slot by slot, then those of the
// second and so on, to one curve per vent.
std::vector<RateCurve> curves_of(std::span<const double> table, int slots, double slot_length,
                                 bool linear = false);

struct Supply {
    double volume = 0;  // emitted volume, m^3
    // Sum of all absolute changes of the rate, m^3/s. Steps that use the rate at their beginning
    // emit a volume that differs from `volume` by at most this sum times the longest step.
    double variation = 0;
};

// Emission from time 0 to `time`, s.
Supply supply(const RateCurve& curve, double time);

// One flag per cell; nonzero if the thickness is above 0.
std::vector<std::uint8_t> covered(std::span<const double> thickness);

// Adds the emission of all vents until flow.time, which must be set, to flow.supplied. `vents`
// contains the vent number of each cell, or 0; `curves` contains the rates of one cell of each
// vent; `longest_step` is in s, `area` of a cell in m^2.
void add_supply(Flow& flow, std::span<const std::uint8_t> vents,
                const std::vector<RateCurve>& curves, double longest_step, double area);

// Base of workloads that start from an event's folder and save one; the derived class implements
// save().
class LavaWorkload : public Workload, public Eruption {
  public:
    ParameterSet parameters_for(const InitialConditions& conditions) const final;
    State initial(const InitialConditions& conditions) const final;
    std::string describe_start(const InitialConditions& conditions,
                               const ParameterSet& parameters) const final;
    std::string input_note(const InitialConditions& conditions) const final;
    std::optional<Size> input_size(const std::filesystem::path& path,
                                   const OptionValues& options) const final;
    void check_save_path(const std::filesystem::path& path,
                         const OptionValues& options) const final;
    WorkloadCapabilities capabilities() const override { return {.eruption = this}; }
    std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const final;

  protected:
    // Adds boundary, file format and options to the facts.
    explicit LavaWorkload(WorkloadFacts facts);

    // Summary of a final state: the checksum of all fields that a generation writes, in the order
    // of the state, the reference's account, and the share of cells with fluid lava. `liquid` and
    // `solid` are sums of thicknesses, m.
    FinalState summary_of(const State& state, double liquid, double solid) const;

    // Writes an event's folder (save_results()), including the state from which a run with
    // `parameters` can resume.
    void save_event(const State& state, const std::filesystem::path& path, const Run& run,
                    const Event& event, const Rasters& rasters,
                    const ParameterSet& parameters) const;

  private:
    virtual ParameterSet parameters_of(const Event& event) const = 0;
    // Throws Error for invalid values.
    virtual void check_parameters(const ParameterSet& set) const = 0;
    // Initial state of an event without a saved state.
    virtual State start_of(const InitialConditions& conditions) const = 0;
};

// Fraction of cells with fluid lava. `thickness` is that of fluid lava, in float32 or float64.
double active_share(const HostField& thickness);
// Entry of FinalState::account.
inline constexpr const char* active_share_account = "active_share";

}  // namespace camber::lava
