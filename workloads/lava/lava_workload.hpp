// What all lava workloads have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/checksum.hpp"
#include "workloads/lava/active.hpp"
#include "workloads/lava/event.hpp"
#include "workloads/lava/results.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/workload.hpp"

namespace camber::lava {

// Starts from the folder of an event and saves one: a derived class says how, in save_run().
class LavaWorkload : public Workload {
  public:
    std::vector<Boundary> boundaries() const override { return {Boundary::dead}; }
    std::string_view file_format() const override {
        return "folder of ESRI ASCII grids, vents, emission rates and parameters";
    }
    std::optional<Size> input_size(const std::filesystem::path& path) const override {
        return event_size(path);
    }
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

  protected:
    // What final states of all of them are recorded by: the checksum of the fields that a
    // generation writes, in the order of the state, the reference's account, and the share of
    // active cells. `mass`: sum of the thicknesses of all lava, m.
    FinalState summary_of(const State& state, double mass) const {
        Checksum checksum;
        for (const HostField& field : state.fields)
            if (writes(field.name()))
                for (const std::byte byte : field.bytes())
                    checksum.add(static_cast<std::uint8_t>(byte));
        FinalState final{"mass", mass, checksum.value(), state.account};
        final.account[active_share_account] = active_share(state.field("thickness"));
        return final;
    }
};

}  // namespace camber::lava
