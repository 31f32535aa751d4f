// Interface of lava workloads: their states are flows, which are compared as a whole and with the
// real event. Runs start from an eruption's folder, which may be tiled and get additional lava
// (InitialConditions), and save such a folder.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/core/flow.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

class Eruption {
  public:
    // The state as a flow. Its account must be that of the reference after as many generations.
    virtual Flow flow(const State& state, const ParameterSet& parameters) const = 0;
    // Not 0 for the cells that the real event covered, row by row, where the input knows them; else
    // empty.
    virtual std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const = 0;
    // True if the parameters request a run that ends by the workload's own rule; own_generations()
    // is the number of generations until such a run from `initial` ends.
    virtual bool ends_itself(const ParameterSet&) const { return false; }
    virtual int own_generations(const State& /*initial*/, const GenerationContext&) const {
        return 0;
    }

  protected:
    ~Eruption() = default;
};

}  // namespace camber
