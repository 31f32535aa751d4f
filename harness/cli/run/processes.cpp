#include "harness/cli/run/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/run_options.hpp"

extern char** environ;

namespace camber {

namespace {

namespace fs = std::filesystem;

// A folder that no other process has; it goes with the object and with all that is in it.
class TemporaryFolder {
  public:
    TemporaryFolder() : path_((fs::temp_directory_path() / "camber-XXXXXX").string()) {
        if (mkdtemp(path_.data()) == nullptr)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot write the results of a process in {}: {}; set TMPDIR "
                                    "to a folder that can be written",
                                    fs::temp_directory_path().string(), std::strerror(errno)));
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    fs::path path() const { return path_; }

  private:
    std::string path_;
};

// Returns the status that waitpid() gives, or nothing where that fails. Passes a signal to stop on;
// a child that then goes on for long is killed.
std::optional<int> wait_for(pid_t child) {
    constexpr timespec pause{0, 20'000'000};
    constexpr auto patience = std::chrono::seconds(30);
    std::optional<std::chrono::steady_clock::time_point> told;
    int status = 0;
    for (pid_t ended = 0; ended == 0; nanosleep(&pause, nullptr)) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) return std::nullopt;
        ended = 0;
        const auto now = std::chrono::steady_clock::now();
        if (stop_signal() != 0 && !told) {
            kill(child, stop_signal());
            told = now;
        }
        if (told && now - *told > patience) kill(child, SIGKILL);
    }
    return std::nullopt;
}

// Returns the exit code; nothing of a process that was stopped.
std::optional<int> run_program(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failed =
        posix_spawn(&child, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    const std::optional<int> status = failed == 0 ? wait_for(child) : std::nullopt;
    if (!status)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot start a process: {}; measure without --processes",
                                std::strerror(failed != 0 ? failed : errno)));
    if (WIFEXITED(*status)) return WEXITSTATUS(*status);
    if (stop_signal() != 0) return std::nullopt;
    return static_cast<int>(ExitCode::unavailable);
}

}  // namespace

results::Document run_process(const CommandLine& command_line, int index,
                              std::uint64_t order_seed) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / default_results;
    std::vector<std::string> arguments = command_line;
    // Where an option is given twice, the last one counts.
    for (const std::string& argument :
         {std::string("--processes=1"), fmt::format("--process-index={}", index),
          fmt::format("--order-seed={}", order_seed), "--out=" + file.string()})
        arguments.push_back(argument);
    const std::optional<int> code = run_program(arguments);
    std::error_code ignored;
    if (!code)
        return fs::exists(file, ignored) ? results::read_document(file) : results::Document();
    if (*code != static_cast<int>(ExitCode::success) &&
        *code != static_cast<int>(ExitCode::wrong_result))
        throw Error(static_cast<ExitCode>(*code),
                    fmt::format("process {} of the measurement ended with exit code {}; what the "
                                "processes before it measured is kept",
                                index, *code));
    return results::read_document(file);
}

void stop_with_parent() {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
}

}  // namespace camber
