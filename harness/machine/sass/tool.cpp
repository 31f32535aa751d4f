#include "harness/machine/sass/tool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/base/process.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    int get() const { return number_; }
    void close() {
        if (number_ >= 0) ::close(std::exchange(number_, -1));
    }

  private:
    int number_;
};

// This process's environment, with another TMPDIR if `temporary` is not empty.
std::vector<std::string> environment(const fs::path& temporary) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (temporary.empty() || !std::string_view(*variable).starts_with("TMPDIR="))
            variables.emplace_back(*variable);
    if (!temporary.empty()) variables.push_back("TMPDIR=" + temporary.string());
    return variables;
}

// Argument array in the form that exec() requires.
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (std::string& string : strings) pointers.push_back(string.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Starts a child process, the leader of a process group, with a pipe from its standard output and,
// if `errors` is set, its standard error; nullopt if it cannot be started.
std::optional<pid_t> spawn(const fs::path& program, const std::vector<std::string>& arguments,
                           int output, bool errors, const ToolPlaces& places) {
    std::vector<std::string> strings{program.string()};
    strings.insert(strings.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = environment(places.temporary);
    const std::string path = fs::absolute(program);
    const std::vector<char*> argv = pointers_to(strings);
    const std::vector<char*> envp = pointers_to(variables);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (errors)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!places.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, places.folder.c_str());
    pid_t child = 0;
    const int error =
        posix_spawn(&child, path.c_str(), &actions, &attributes, argv.data(), envp.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? std::optional(child) : std::nullopt;
}

// Appends the stream's content up to its end, at most `most` bytes; false if the deadline passes
// first or, with `stops`, if a stop is requested.
bool read_all(int descriptor, Clock::time_point deadline, bool stops, std::size_t most,
              std::string& text) {
    // Ms: polling interval, as a signal may wake another thread.
    constexpr std::int64_t between_looks = 100;
    char buffer[1 << 16];
    while (true) {
        const std::int64_t left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0 || (stops && stopping())) return false;
        pollfd ready{descriptor, POLLIN, 0};
        const int answer = poll(&ready, 1, static_cast<int>(std::min(left, between_looks)));
        if (answer < 0 && errno != EINTR) return false;
        if (answer <= 0) continue;
        const ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count == 0) return true;
        if (count < 0 && errno != EINTR) return false;
        if (count > 0)
            text.append(buffer, std::min(static_cast<std::size_t>(count), most - text.size()));
    }
}

bool is_program(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> folders_of_path() {
    const char* const path = std::getenv("PATH");
    std::istringstream rest(path ? path : "");
    std::vector<fs::path> folders;
    for (std::string folder; std::getline(rest, folder, ':');)
        if (!folder.empty()) folders.emplace_back(folder);
    return folders;
}

std::optional<fs::path> find_in(const std::vector<fs::path>& folders, const std::string& name) {
    for (const fs::path& folder : folders)
        if (is_program(folder / name)) return folder / name;
    return std::nullopt;
}

ToolRun run(const fs::path& program, const std::vector<std::string>& arguments, bool errors,
            std::chrono::milliseconds limit, const ToolPlaces& places) {
    ToolRun result;
    const auto deadline = Clock::now() + limit;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result;
    const Descriptor input(ends[0]);
    Descriptor output(ends[1]);
    const auto child = spawn(program, arguments, output.get(), errors, places);
    if (!child) return result;
    result.started = true;
    output.close();
    constexpr std::size_t most_messages = 4 << 20;  // bytes
    result.in_time = read_all(input.get(), deadline, errors,
                              errors ? most_messages : std::string::npos, result.output);
    if (!result.in_time) kill(-*child, SIGKILL);  // kills the whole group
    int status = 0;
    while (waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    return result;
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
    return find_in(folders_of_path(), name);
}

std::optional<fs::path> find_cuda_program(const std::string& name) {
    std::vector<fs::path> folders = folders_of_path();
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* root = std::getenv(variable)) folders.push_back(fs::path(root) / "bin");
    folders.emplace_back("/usr/local/cuda/bin");
    return find_in(folders, name);
}

std::optional<std::string> output_of(const fs::path& program,
                                     const std::vector<std::string>& arguments,
                                     std::chrono::milliseconds limit, const fs::path& folder) {
    ToolRun result = run(program, arguments, false, limit, {{}, folder});
    if (!result.succeeded()) return std::nullopt;
    return std::move(result.output);
}

ToolRun run_tool(const fs::path& program, const std::vector<std::string>& arguments,
                 std::chrono::milliseconds limit, const ToolPlaces& places) {
    return run(program, arguments, true, limit, places);
}

}  // namespace camber
