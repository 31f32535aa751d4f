#include "harness/static/tool.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>
#include <utility>

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

class SpawnActions {
  public:
    SpawnActions() { posix_spawn_file_actions_init(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

    posix_spawn_file_actions_t* get() { return &actions_; }

  private:
    posix_spawn_file_actions_t actions_;
};

// A child process with a pipe from its standard output, and where `errors` from its standard error;
// nullopt where it cannot be started.
std::optional<pid_t> spawn(const fs::path& program, const std::vector<std::string>& arguments,
                           int output, bool errors, const fs::path& folder) {
    std::vector<std::string> strings{program.string()};
    strings.insert(strings.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& string : strings) argv.push_back(string.data());
    argv.push_back(nullptr);
    SpawnActions actions;
    posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (errors)
        posix_spawn_file_actions_adddup2(actions.get(), output, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(actions.get(), STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(actions.get(), output, STDOUT_FILENO);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
    pid_t child = 0;
    if (posix_spawn(&child, program.c_str(), actions.get(), nullptr, argv.data(), environ) != 0)
        return std::nullopt;
    return child;
}

// Appends what comes until the end of the stream; false when the time is over before.
bool read_all(int descriptor, Clock::time_point deadline, std::string& text) {
    char buffer[1 << 16];
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        pollfd ready{descriptor, POLLIN, 0};
        const int answer = poll(&ready, 1, static_cast<int>(left));
        if (answer < 0 && errno != EINTR) return false;
        if (answer <= 0) continue;
        const ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count == 0) return true;
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    }
}

bool is_program(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::vector<fs::path> folders_of_path() {
    std::vector<fs::path> folders;
    if (const char* path = std::getenv("PATH")) {
        std::string_view rest = path;
        while (!rest.empty()) {
            const auto end = std::min(rest.find(':'), rest.size());
            if (end > 0) folders.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return folders;
}

std::optional<fs::path> find_in(const std::vector<fs::path>& folders, const std::string& name) {
    for (const fs::path& folder : folders)
        if (is_program(folder / name)) return folder / name;
    return std::nullopt;
}

ToolRun run(const fs::path& program, const std::vector<std::string>& arguments, bool errors,
            std::chrono::milliseconds limit, const fs::path& folder) {
    ToolRun result;
    const auto deadline = Clock::now() + limit;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return result;
    const Descriptor input(ends[0]);
    Descriptor output(ends[1]);
    const auto child = spawn(program, arguments, output.get(), errors, folder);
    if (!child) return result;
    result.started = true;
    output.close();
    result.in_time = read_all(input.get(), deadline, result.output);
    if (!result.in_time) kill(*child, SIGKILL);
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
    ToolRun result = run(program, arguments, false, limit, folder);
    if (!result.succeeded()) return std::nullopt;
    return std::move(result.output);
}

ToolRun run_tool(const fs::path& program, const std::vector<std::string>& arguments,
                 std::chrono::milliseconds limit, const fs::path& folder) {
    return run(program, arguments, true, limit, folder);
}

}  // namespace camber
