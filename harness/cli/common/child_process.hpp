// Child processes of the program: the share of GPUs and cores that each receives, and the guarded
// process that runs kernels from a user's files.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/process.hpp"

namespace camber {

// What of a machine a process gets where several work at once: a GPU, and some of the CPU's cores.
struct MachineShare {
    // What CUDA_VISIBLE_DEVICES is to say; "": as here.
    std::string gpu;
    // Numbers of the CPU's cores; empty: all that this process has.
    std::vector<int> cores;
};

// As many shares as `count`, each with as many of `cores` as the others. The rest of the cores
// stays unused, so that times of one share are like those of another. Where there are fewer cores
// than shares, all have all. `gpus`: what each one's GPU is called; "" for all where no share is to
// have one of its own.
std::vector<MachineShare> divide_machine(int count, const std::vector<int>& cores,
                                         const std::vector<std::string>& gpus);

// The cores that this process may use, in ascending order.
std::vector<int> usable_cores();

// What the first `count` GPUs are called, by the value of CUDA_VISIBLE_DEVICES here: its own words,
// or numbers from 0 where it is not set.
std::vector<std::string> gpu_names(int count, const char* visible_devices);

// This program again, or another one, as a process of its own.

// In a process group of its own: Ctrl-C reaches the one that started it alone, who passes it on.
// The system kills it where the thread that started it ends, however it ends; so does the
// destructor.
class ChildProcess {
  public:
    // Descriptors that it writes to. -1: nowhere for standard output, the same as here for errors.
    struct Streams {
        int out = -1;
        int err = -1;
    };
    // `arguments`: the command line, the program's name first. `folder`: where it works; "" for
    // here. `program`: a file. `share`: of the machine. Throws Error(unavailable) where no process
    // can be had.
    explicit ChildProcess(const std::vector<std::string>& arguments, Streams streams = {-1, -1},
                          const std::string& folder = "",
                          const std::string& program = "/proc/self/exe",
                          const MachineShare& share = {});
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // What waitpid() gives, once it has ended.
    std::optional<int> status();
    void send(int signal) const;

  private:
    pid_t pid_ = 0;
    std::optional<int> status_;
};

// Waits for its end. Sends it the first signal that `wish` gives, 0 for none, and kills it where it
// then goes on for long. Returns its exit code, or nothing where a signal ended it.
std::optional<int> wait_for(ChildProcess& child, const std::function<int()>& wish = stop_signal);

}  // namespace camber

namespace CLI {

// Runs commands that name kernels from a user's own files in a guarded process.
class App;
}  // namespace CLI

namespace camber {

// Forks if the parsed command line names such a kernel. Returns the exit code if the child has done
// the work; nullopt if this process has to do it. Throws as run_guarded().
std::optional<int> guard_candidates(const CLI::App& app);

}  // namespace camber
