// What workloads of lava can do beside the others: their states are flows, which may be compared as
// a whole and with the real event. They start from the folder of an eruption, which may be laid in
// tiles and get added lava (InitialConditions), and save such a folder.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/flow.hpp"
#include "workloads/workload.hpp"

namespace camber {

class Eruption {
  public:
    // The state as a flow. Its account must be that of the reference after as many generations.
    virtual Flow flow(const State& state, const ParameterSet& parameters) const = 0;
    // Not 0 for the cells that the real event covered, row by row, where the input knows them; else
    // empty.
    virtual std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const = 0;
    // Whether parameters ask for a run that ends by the workload's own rule, and after how many
    // generations such a run from `initial` ends.
    virtual bool ends_itself(const ParameterSet&) const { return false; }
    virtual int own_generations(const State& /*initial*/, const GenerationContext&) const {
        return 0;
    }

  protected:
    ~Eruption() = default;
};

}  // namespace camber
