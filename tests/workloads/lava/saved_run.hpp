// Saved run of a lava model.
#pragma once

#include <filesystem>
#include <utility>

#include "tests/workloads/lava/changed.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/lava/event.hpp"

namespace camber::lava {

// Saves a run of `steps` steps from the numbered event, with one parameter changed.
struct SavedRun {
    SavedRun(const Workload& workload, int steps, std::pair<const char*, double> parameter) {
        write_numbered_event(folder);
        const InitialConditions conditions = event_in(folder);
        const ParameterSet set = changed(workload.parameters_for(conditions), {parameter});
        state = workload.initial(conditions);
        advance(workload, state, {.parameters = set}, steps);
        CHECK(workload.capabilities().eruption);
        workload.check_save_path(results);
        workload.save(state, results, {conditions, set, steps, "a test"});
        saved = read_event(results);
        CHECK(saved.map.x == 500.5);
        CHECK(saved.parameters.at(parameter.first) == parameter.second);

        const InitialConditions volcano{
            .size = {5, 4}, .cell = ElementType::float64, .seed = 3, .density = 0.5};
        workload.save(workload.initial(volcano), folder / "bare",
                      {volcano, workload.parameters_for(volcano), 0, ""});
        CHECK(read_event(folder / "bare").prefix == "volcano");
    }

    TestFolder folder;
    std::filesystem::path results = folder / "results";
    State state;  // at the end of the run
    Event saved;
};

}  // namespace camber::lava
