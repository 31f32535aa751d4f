#include "harness/cli/capture/program_run.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/cli/common/messages.hpp"

namespace camber {

namespace fs = std::filesystem;

fs::path recorder_library() {
    constexpr const char* name = "camber-recorder.so";
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (const fs::path& path :
         {folder / name, folder.parent_path() / name, folder.parent_path() / "lib/camber" / name})
        if (fs::exists(path, error)) return path;
    throw Error(ExitCode::unavailable,
                fmt::format("the recorder {} is not beside the program {}: build it with the "
                            "target camber-recorder, or install camber",
                            name, folder.string()));
}

std::vector<std::string> cupti_folders() {
    std::vector<std::string> folders;
#ifdef CAMBER_CUPTI_FOLDERS
    std::istringstream built(CAMBER_CUPTI_FOLDERS);
    for (std::string folder; std::getline(built, folder, ':');) folders.push_back(folder);
#endif
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const root = std::getenv(variable)) roots.emplace_back(root);
    roots.emplace_back("/usr/local/cuda");
    for (const std::string& root : roots)
        for (const char* folder : {"/extras/CUPTI/lib64", "/lib64"})
            if (std::ranges::find(folders, root + folder) == folders.end())
                folders.push_back(root + folder);
    return folders;
}

namespace {

// Ctrl-C and the like are for the program; this process waits for its end.
class IgnoredSignals {
  public:
    IgnoredSignals()
        : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
    ~IgnoredSignals() {
        std::signal(SIGINT, interrupt_);
        std::signal(SIGQUIT, quit_);
    }
    IgnoredSignals(const IgnoredSignals&) = delete;
    IgnoredSignals& operator=(const IgnoredSignals&) = delete;

  private:
    void (*interrupt_)(int);
    void (*quit_)(int);
};

int exit_code_of(const std::vector<std::string>& program) {
    std::vector<std::string> words = program;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) sigaddset(&defaults, signal);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const IgnoredSignals ignored;
    pid_t child = 0;
    const int failure =
        posix_spawnp(&child, arguments.front(), nullptr, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0)
        throw Error(ExitCode::usage,
                    fmt::format("the program '{}' cannot be started: {}; give its path after --",
                                program.front(), std::strerror(failure)));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    constexpr int by_signal = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : by_signal + WTERMSIG(status);
}

}  // namespace

ProgramRun run_with_recorder(capture::Job job) {
    const fs::path library = recorder_library();
    const TemporaryFolder folder("record a program");
    job.reports = folder.path().string();
    job.cupti_folders = cupti_folders();
    const fs::path order = folder.write("job", results::written(job).dump());
    setenv(capture::job_variable, order.c_str(), 1);
    setenv(capture::injection_variable, library.c_str(), 1);
    ProgramRun run;
    run.exit_code = exit_code_of(job.program);
    unsetenv(capture::job_variable);
    unsetenv(capture::injection_variable);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        if (entry.path().extension() != ".json") continue;
        try {
            results::read(
                results::parse_json(read_file(entry.path(), "report", "a report of the recorder")),
                run.reports.emplace_back());
        } catch (const std::exception&) {
            run.reports.pop_back();  // the process was killed while it wrote
        }
    }
    return run;
}

void require_reports(const ProgramRun& run, const std::vector<std::string>& program) {
    for (const capture::Report& report : run.reports)
        if (!report.failure.empty()) throw Error(ExitCode::unavailable, report.failure);
    if (!run.reports.empty()) return;
    throw Error(ExitCode::unavailable,
                run.exit_code != 0
                    ? fmt::format("the program '{}' ended with exit code {} before it used a GPU",
                                  program.front(), run.exit_code)
                    : fmt::format("the program '{}' did not use a GPU, or it ended without exit()",
                                  program.front()));
}

void note_exit_code(const ProgramRun& run) {
    if (run.exit_code != 0)
        say_error(fmt::format("the program ended with exit code {}", run.exit_code));
}

}  // namespace camber
