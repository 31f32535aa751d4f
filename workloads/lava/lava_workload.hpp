// Common base of all lava workloads.
#pragma once

#include "workloads/core/eruption.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/results.hpp"

namespace camber::lava {

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
