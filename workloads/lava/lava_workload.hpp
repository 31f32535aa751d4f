// What all lava workloads have in common.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workloads/lava/results.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/workload.hpp"

namespace camber::lava {

// Saves the folder of an event: a derived class says how, in save_run().
class LavaWorkload : public Workload {
  public:
    bool saves_folder() const override { return true; }
    bool takes_tiles() const override { return true; }
    void check_save_path(const std::filesystem::path& path) const override {
        check_results_folder(path);
    }
    std::vector<std::uint8_t> real_event(const InitialConditions& conditions) const override {
        return conditions.input ? event_of(conditions).real : std::vector<std::uint8_t>();
    }
    // As the volcano after no step, since the state alone does not know what it belongs to.
    void save(const State& state, const std::filesystem::path& path,
              const std::string& comment) const override {
        Run run;
        run.initial.size = state.fields.front().size();
        run.parameters = ParameterSet(parameters());
        run.comment = comment;
        save_run(state, path, run);
    }
};

}  // namespace camber::lava
