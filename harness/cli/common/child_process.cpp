#include "harness/cli/common/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <sstream>
#include <string_view>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/cli/common/files.hpp"

namespace camber {

std::vector<MachineShare> divide_machine(int count, const std::vector<int>& cores,
                                         const std::vector<std::string>& gpus) {
    const std::size_t each = cores.size() / static_cast<std::size_t>(count);
    std::vector<MachineShare> shares(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < shares.size(); ++k) {
        if (k < gpus.size()) shares[k].gpu = gpus[k];
        const auto first = cores.begin() + static_cast<std::ptrdiff_t>(k * each);
        shares[k].cores.assign(first, first + static_cast<std::ptrdiff_t>(each));
    }
    return shares;
}

std::vector<int> usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cores;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &set)) cores.push_back(core);
    return cores;
}

std::vector<std::string> gpu_names(int count, const char* visible_devices) {
    std::vector<std::string> names;
    std::istringstream words(visible_devices ? visible_devices : "");
    for (std::string word; std::getline(words, word, ',');) names.push_back(word);
    for (int number = static_cast<int>(names.size()); number < count && !visible_devices; ++number)
        names.push_back(std::to_string(number));
    names.resize(static_cast<std::size_t>(count));
    return names;
}

namespace {

// Environment of this process, with the GPU of the share.
std::vector<std::string> environment_for(const MachineShare& share) {
    constexpr std::string_view visible = "CUDA_VISIBLE_DEVICES=";
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (share.gpu.empty() || !std::string_view(*variable).starts_with(visible))
            variables.emplace_back(*variable);
    if (!share.gpu.empty()) variables.push_back(std::string(visible) + share.gpu);
    return variables;
}

cpu_set_t set_of(const std::vector<int>& cores) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : cores) CPU_SET(core, &set);
    return set;
}

// Null-terminated array for execve(); it points into `texts`.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// Runs between fork() and exec(), so it must not allocate memory. `cores`: null for all.
[[noreturn]] void become(char* const* argv, char* const* variables, ChildProcess::Streams streams,
                         pid_t parent, const char* folder, const char* program,
                         const cpu_set_t* cores) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent has already ended.
    if (getppid() != parent) _exit(static_cast<int>(ExitCode::unavailable));
    setpgid(0, 0);
    if (cores != nullptr) sched_setaffinity(0, sizeof *cores, cores);
    if (*folder != '\0' && chdir(folder) != 0) _exit(static_cast<int>(ExitCode::unavailable));
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(streams.out >= 0 ? streams.out : nothing, STDOUT_FILENO);
    if (streams.err >= 0) dup2(streams.err, STDERR_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
    execve(program, argv, variables);
    _exit(static_cast<int>(ExitCode::unavailable));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, Streams streams,
                           const std::string& folder, const std::string& program,
                           const MachineShare& share) {
    const std::vector<char*> argv = pointers_to(arguments);
    const std::vector<std::string> variables = environment_for(share);
    const std::vector<char*> envp = pointers_to(variables);
    const cpu_set_t cores = set_of(share.cores);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0)
        become(argv.data(), envp.data(), streams, parent, folder.c_str(), program.c_str(),
               share.cores.empty() ? nullptr : &cores);
    if (pid_ < 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("cannot start a process: {}", std::strerror(errno)));
}

ChildProcess::~ChildProcess() {
    if (status()) return;
    send(SIGKILL);
    waitpid(pid_, nullptr, 0);
}

std::optional<int> ChildProcess::status() {
    int status = 0;
    if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    return status_;
}

void ChildProcess::send(int signal) const {
    if (!status_) kill(pid_, signal);
}

std::optional<int> wait_for(ChildProcess& child, const std::function<int()>& wish) {
    using Clock = std::chrono::steady_clock;
    constexpr timespec pause{0, 20'000'000};
    constexpr auto patience = std::chrono::seconds(30);
    std::optional<Clock::time_point> signaled;
    for (; !child.status(); nanosleep(&pause, nullptr)) {
        if (const int signal = signaled ? 0 : wish(); signal != 0) {
            child.send(signal);
            signaled = Clock::now();
        }
        if (signaled && Clock::now() - *signaled > patience) child.send(SIGKILL);
    }
    if (!WIFEXITED(*child.status())) return std::nullopt;
    return WEXITSTATUS(*child.status());
}

namespace {

// A shorter limit would end ordinary compilations on a busy machine.
constexpr std::chrono::duration<double> shortest_compilation_limit{10};

bool is_given(const CLI::App& command, const char* option) {
    const CLI::Option* const known = command.get_option_no_throw(option);
    return known != nullptr && known->count() > 0;
}

// Limits of a command that runs candidates; nullopt if it runs only camber's own code.
std::optional<CandidateLimits> limits_of_candidates(const CLI::App& app) {
    const auto commands = app.get_subcommands();
    if (commands.empty()) return std::nullopt;
    const CLI::App& command = *commands.front();
    const bool tries = command.get_name() == "try" && is_given(command, "file");
    if (!tries && !is_given(command, "--candidate") && !is_given(command, "--reference"))
        return std::nullopt;
    CandidateLimits limits;
    if (is_given(command, "--timeout")) {
        limits.work = std::chrono::duration<double>(command.get_option("--timeout")->as<double>());
        limits.compilation = std::max(limits.work, shortest_compilation_limit);
    }
    return limits;
}

// Erases the progress line that the child left.
void erase_progress() {
    if (isatty(STDERR_FILENO) == 0) return;
    if (escapes_unwanted())
        fmt::print(stderr, "\r{:{}}\r", "", progress_width() - 1);
    else
        fmt::print(stderr, "\r\033[K");
}

}  // namespace

std::optional<int> guard_candidates(const CLI::App& app) {
    const auto limits = limits_of_candidates(app);
    if (!limits) return std::nullopt;
    try {
        return run_guarded(*limits);
    } catch (const Error&) {
        erase_progress();
        throw;
    }
}

}  // namespace camber
