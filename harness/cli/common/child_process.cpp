#include "harness/cli/common/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>

#include "harness/base/error.hpp"

namespace camber {

namespace {

// Between fork() and exec(): nothing that allocates.
[[noreturn]] void become(char* const* argv, ChildProcess::Streams streams, pid_t parent,
                         const char* folder, const char* program) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(static_cast<int>(ExitCode::unavailable));  // it has ended
    setpgid(0, 0);
    if (*folder != '\0' && chdir(folder) != 0) _exit(static_cast<int>(ExitCode::unavailable));
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(streams.out >= 0 ? streams.out : nothing, STDOUT_FILENO);
    if (streams.err >= 0) dup2(streams.err, STDERR_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
    execv(program, argv);
    _exit(static_cast<int>(ExitCode::unavailable));
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, Streams streams,
                           const std::string& folder, const std::string& program) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) become(argv.data(), streams, parent, folder.c_str(), program.c_str());
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
    std::optional<Clock::time_point> told;
    for (; !child.status(); nanosleep(&pause, nullptr)) {
        if (const int signal = told ? 0 : wish(); signal != 0) {
            child.send(signal);
            told = Clock::now();
        }
        if (told && Clock::now() - *told > patience) child.send(SIGKILL);
    }
    if (!WIFEXITED(*child.status())) return std::nullopt;
    return WEXITSTATUS(*child.status());
}

}  // namespace camber
