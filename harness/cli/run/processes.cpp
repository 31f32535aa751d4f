#include "harness/cli/run/processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "harness/base/error.hpp"

extern char** environ;

namespace camber {

namespace {

namespace fs = std::filesystem;

// A file name that no other process has; the file goes with the object.
class TemporaryFile {
  public:
    TemporaryFile() : path_((fs::temp_directory_path() / "camber-XXXXXX").string()) {
        const int descriptor = mkstemp(path_.data());
        if (descriptor < 0)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot write the results of a process in {}: {}; set TMPDIR "
                                    "to a folder that can be written",
                                    fs::temp_directory_path().string(), std::strerror(errno)));
        close(descriptor);
    }
    ~TemporaryFile() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

// Returns the exit code.
int run_program(const std::vector<std::string>& arguments) {
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
    int status = 0;
    if (failed != 0 || waitpid(child, &status, 0) < 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot start a process: {}; measure without --processes",
                                std::strerror(failed != 0 ? failed : errno)));
    return WIFEXITED(status) ? WEXITSTATUS(status) : static_cast<int>(ExitCode::unavailable);
}

}  // namespace

results::Document run_process(const CommandLine& command_line, int index,
                              std::uint64_t order_seed) {
    const TemporaryFile file;
    std::vector<std::string> arguments = command_line;
    // Where an option is given twice, the last one counts.
    for (const std::string& argument :
         {std::string("--processes=1"), fmt::format("--process-index={}", index),
          fmt::format("--order-seed={}", order_seed), "--out=" + file.path()})
        arguments.push_back(argument);
    const int code = run_program(arguments);
    if (code != static_cast<int>(ExitCode::success) &&
        code != static_cast<int>(ExitCode::wrong_result))
        throw Error(static_cast<ExitCode>(code),
                    fmt::format("process {} of the measurement ended with exit code {}; what the "
                                "processes before it measured is kept",
                                index, code));
    return results::read_document(file.path());
}

}  // namespace camber
