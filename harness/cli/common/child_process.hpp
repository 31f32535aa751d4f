// This program again, or another one, as a process of its own.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/machine_share.hpp"

namespace camber {

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
