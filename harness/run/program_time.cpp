#include "harness/run/program_time.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "harness/base/error.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

template <class Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Deleted with all that is in it.
class ScratchFolder {
  public:
    ScratchFolder() : path_(fs::temp_directory_path() / name()) { fs::create_directory(path_); }
    ~ScratchFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const fs::path& path() const { return path_; }

  private:
    static std::string name() { return "camber-save-" + std::to_string(getpid()); }

    fs::path path_;
};

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
        const ScratchFolder scratch;
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
