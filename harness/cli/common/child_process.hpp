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

// Share of a machine for one of several concurrent processes: a GPU and some CPU cores.
struct MachineShare {
    // Value of CUDA_VISIBLE_DEVICES; "" leaves it unchanged.
    std::string gpu;
    // CPU core numbers; empty: all cores that this process may use.
    std::vector<int> cores;
};

// Divides a machine into `count` shares with equal numbers of `cores`. The remaining cores stay
// unused, so that times in different shares are comparable. If there are fewer cores than shares,
// every share gets all cores. `gpus`: name of each share's GPU; "" if shares have no GPU of their
// own.
std::vector<MachineShare> divide_machine(int count, const std::vector<int>& cores,
                                         const std::vector<std::string>& gpus);

// Cores that this process may use, in ascending order.
std::vector<int> usable_cores();

// Names of the first `count` GPUs according to `visible_devices`, the value of
// CUDA_VISIBLE_DEVICES: its entries, or numbers from 0 if it is not set.
std::vector<std::string> gpu_names(int count, const char* visible_devices);

// Child process that runs this program or another one.

// The child is in a process group of its own: Ctrl-C reaches only the parent, which forwards it.
// The system kills the child when the thread that started it ends for any reason, and the
// destructor kills it, too.
class ChildProcess {
  public:
    // File descriptors for the child's output. -1: discards standard output, inherits standard
    // error.
    struct Streams {
        int out = -1;
        int err = -1;
    };
    // `arguments`: command line, starting with the program's name. `folder`: working directory; ""
    // for the current one. `program`: path of the executable. `share`: of the machine. Throws
    // Error(unavailable) if the process cannot be started.
    explicit ChildProcess(const std::vector<std::string>& arguments, Streams streams = {-1, -1},
                          const std::string& folder = "",
                          const std::string& program = "/proc/self/exe",
                          const MachineShare& share = {});
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    // Exit status as from waitpid(), once the child has ended.
    std::optional<int> status();
    void send(int signal) const;

  private:
    pid_t pid_ = 0;
    std::optional<int> status_;
};

// Waits for the child to end. Sends it the first nonzero signal that `wish` returns, and kills it
// if it then continues for too long. Returns the exit code, or nullopt if a signal ended the child.
std::optional<int> wait_for(ChildProcess& child, const std::function<int()>& wish = stop_signal);

}  // namespace camber

namespace CLI {

// Guarded process for commands that run kernels from a user's own files.
class App;
}  // namespace CLI

namespace camber {

// Forks if the parsed command line names such a kernel. Returns the exit code if the child has done
// the work; nullopt if this process must do it. Throws the same errors as run_guarded().
std::optional<int> guard_candidates(const CLI::App& app);

}  // namespace camber
