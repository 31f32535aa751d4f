#include "harness/measure/program_time.hpp"

#include <chrono>
#include <filesystem>

#include "harness/base/error.hpp"
#include "harness/base/temporary_folder.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

results::ProgramTime transfer_time(Execution& execution, Queue& queue, const State& initial,
                                   State& into) {
    results::ProgramTime time;
    queue.synchronize();
    time.download = seconds_of([&] { execution.download(into); });
    time.upload = seconds_of([&] {
        execution.upload(initial);
        queue.synchronize();
    });
    return time;
}

std::optional<double> saving_time(const Study& study, const State& state) {
    try {
        const TemporaryFolder scratch("time how long saving takes");
        // Workloads that save into a file know it by its ending.
        const fs::path path = scratch.path() / (study.workload->eruption() ? "event" : "state.asc");
        study.workload->check_save_path(path);
        return seconds_of([&] {
            study.workload->save(state, path,
                                 {study.initial, study.problem.parameters, study.generations, ""});
        });
    } catch (const Error&) {
        return std::nullopt;
    } catch (const fs::filesystem_error&) {
        return std::nullopt;
    }
}

}  // namespace camber
