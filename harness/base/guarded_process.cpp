// Guard process of candidates: forwards signals to the child process, ends late candidates, and
// reports how the child ended.
#include "harness/base/candidate_guard.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <new>
#include <string_view>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"

namespace camber {

namespace {

constexpr std::array forwarded_signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr timespec between_looks_at_child{0, 100'000'000};
constexpr std::int64_t patience_with_destructors = 10'000'000'000;  // ns

std::int64_t monotonic_time() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

[[noreturn]] void end_by_default_action(int signal) {
    std::fflush(nullptr);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    ::signal(signal, SIG_DFL);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    std::_Exit(128 + signal);
}

class SharedGuardPage {
  public:
    SharedGuardPage() {
        void* const memory = mmap(nullptr, sizeof(GuardPage), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot share memory with a process: {}; free some memory",
                                    std::strerror(errno)));
        page_ = new (memory) GuardPage;
        page_->rescue = memfd_create("camber-results", MFD_CLOEXEC);
    }
    SharedGuardPage(const SharedGuardPage&) = delete;
    SharedGuardPage& operator=(const SharedGuardPage&) = delete;
    // No destructor, because the child uses the page until the process ends.

    GuardPage* get() const { return page_; }
    GuardPage* operator->() const { return page_; }

  private:
    GuardPage* page_;
};

// Blocks the signals that the parent waits for; ignored signals remain ignored.
class WaitedSignals {
  public:
    WaitedSignals() {
        sigemptyset(&set_);
        sigaddset(&set_, SIGCHLD);
        for (const int signal : forwarded_signals) {
            struct sigaction now {};
            sigaction(signal, nullptr, &now);
            if (now.sa_handler != SIG_IGN) sigaddset(&set_, signal);
        }
        struct sigaction usual {};
        usual.sa_handler = SIG_DFL;  // if SIGCHLD were ignored, waitpid() would return no status
        sigaction(SIGCHLD, &usual, nullptr);
        sigprocmask(SIG_BLOCK, &set_, &before_);
    }
    void unblock() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }
    ~WaitedSignals() { unblock(); }
    WaitedSignals(const WaitedSignals&) = delete;
    WaitedSignals& operator=(const WaitedSignals&) = delete;

    // Returns the next signal, or 0 after a while. `typed`: the terminal sent it, to the child as
    // well.
    int next(bool& typed) const {
        siginfo_t info{};
        const int signal = sigtimedwait(&set_, &info, &between_looks_at_child);
        typed = info.si_code == SI_KERNEL;
        return signal > 0 ? signal : 0;
    }

  private:
    sigset_t set_;
    sigset_t before_;
};

// Child processes of this process: also processes that the child left behind, which the system
// assigns to this process.
std::vector<pid_t> children() {
    std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
    std::vector<pid_t> found;
    for (pid_t child; list >> child;) found.push_back(child);
    return found;
}

void end_children() {
    for (int round = 0; round < 100; ++round) {
        const std::vector<pid_t> left = children();
        if (left.empty()) return;
        for (const pid_t child : left) {
            kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
        }
    }
}

struct ChildEnd {
    int status = 0;    // as returned by waitpid()
    int received = 0;  // last forwarded signal
    bool overdue = false;
};

ChildEnd wait_for_end(pid_t child, const GuardPage& page, const WaitedSignals& signals) {
    ChildEnd end;
    std::optional<std::int64_t> reported;
    while (waitpid(child, &end.status, WNOHANG) != child) {
        bool typed = false;
        const int signal = signals.next(typed);
        if (signal != 0 && signal != SIGCHLD) {
            end.received = signal;
            if (!typed) kill(child, signal);
        }
        const std::int64_t now = monotonic_time();
        if (page.end != GuardPage::nothing_reported && !reported) reported = now;
        const bool lingers = reported && now - *reported > patience_with_destructors;
        if (now < page.deadline && !lingers) continue;
        end.overdue = !lingers;
        kill(child, SIGKILL);
        waitpid(child, &end.status, 0);
        break;
    }
    return end;
}

std::string signal_text(int signal) {
    const char* const name = sigabbrev_np(signal);
    return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

struct EndText {
    std::string what;
    std::string remedy;
};

EndText text_of(const ChildEnd& end, const GuardPage& page) {
    if (end.overdue)
        return {
            fmt::format("was stopped after {:.3g} s", page.limit),
            fmt::format("{}, or give more time with --timeout",
                        page.work == static_cast<int>(CandidateWork::compiling) ? "simplify it"
                                                                                : "mend its loop")};
    if (WIFEXITED(end.status))
        return {fmt::format("called exit({})", WEXITSTATUS(end.status)),
                "remove the call, because only camber ends the process"};
    const int signal = WTERMSIG(end.status);
    if (page.overflow)
        return {"overflowed its stack",
                fmt::format("end its recursion, or make its local arrays smaller{}",
                            page.work == static_cast<int>(CandidateWork::running)
                                ? " (a thread on the executor has 64 KiB)"
                                : "")};
    switch (signal) {
        case SIGABRT:
            return {"called abort()", "remove the call, or correct what a failed assert() names"};
        case SIGSEGV:
        case SIGBUS:
            return {fmt::format("accessed invalid memory ({})", signal_text(signal)),
                    "correct its pointers and indices"};
        case SIGFPE:
            return {"divided an integer by zero (SIGFPE)", "correct the division"};
        case SIGILL:
        case SIGTRAP:
            return {fmt::format("executed an invalid instruction ({})", signal_text(signal)),
                    "correct what traps, such as a missing return"};
        case SIGSYS:
            return {"made a system call that a kernel must not make", "remove it"};
        case SIGXCPU:
            return {"used up its processor time", "mend its loop, or make it faster"};
        default:
            return {fmt::format("was ended by {}", signal_text(signal)),
                    signal == SIGKILL ? "if memory was exhausted, choose a smaller --size"
                                      : "remove what sends the signal"};
    }
}

std::string activity_text(const GuardPage& page) {
    if (!page.active) return "after it had run";
    const std::string purpose = *page.purpose ? fmt::format(" to {}", page.purpose) : "";
    switch (static_cast<CandidateWork>(page.work)) {
        case CandidateWork::compiling:
            return "while it was compiled";
        case CandidateWork::loading:
            return "while its global variables were initialized";
        case CandidateWork::running:
            return fmt::format("while the executor ran it{}", purpose);
        case CandidateWork::launching:
            return fmt::format("while it launched its kernel{}", purpose);
    }
    return "";
}

std::string sentence_of(const ChildEnd& end, const GuardPage& page) {
    const EndText text = text_of(end, page);
    return fmt::format("{} {} {}: {}", page.candidate, text.what, activity_text(page), text.remedy);
}

// Returns the text as the content of a JSON string, without quotation marks.
std::string in_json(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            escaped += std::string("\\") + c;
        else if (byte < 0x20)
            escaped += fmt::format("\\u{:04x}", byte);
        else
            escaped += c;
    }
    return escaped;
}

// `reason`: why the candidate failed; "": it did not, and the file is not changed.
void write_rescued(const GuardPage& page, const std::string& reason) {
    if (*page.rescue_path == '\0' || page.rescue_bytes == 0 || reason.empty()) return;
    std::string text(page.rescue_bytes, '\0');
    if (pread(page.rescue, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
        return;
    for (std::size_t at = 0; (at = text.find(rescue_reason, at)) != text.npos;)
        text.replace(at, rescue_reason.size(), in_json(reason));
    try {
        AtomicFile(page.rescue_path, "results file").replace(text);
    } catch (const Error& error) {
        fmt::print(stderr, "camber: {}\n", error.what());
    }
}

void clean_up(pid_t child, const GuardPage& page, const std::string& reason) {
    end_children();
    remove_temporary_folders_of(child);
    for (const auto& lock : page.locks)
        if (*lock != '\0') remove_leftovers_of(lock);
    write_rescued(page, reason);
}

[[noreturn]] void end_as(const ChildEnd& end) {
    if (WIFSIGNALED(end.status)) end_by_default_action(WTERMSIG(end.status));
    std::exit(WEXITSTATUS(end.status));
}

// Exit code that camber itself chose.
int reported_end(pid_t child, const GuardPage& page) {
    clean_up(child, page, "");
    if (page.end >= GuardPage::by_signal) end_by_default_action(page.end - GuardPage::by_signal);
    return page.end;
}

// Outcome of the program; nullopt: the candidate ended its process, and another one must be
// started.
std::optional<int> result_of(pid_t child, const ChildEnd& end, const GuardPage& page) {
    if (page.end != GuardPage::nothing_reported) return reported_end(child, page);
    const bool by_user = WIFSIGNALED(end.status) && WTERMSIG(end.status) == end.received;
    const bool reader_left = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGPIPE;
    if (by_user || reader_left || !page.any) {
        clean_up(child, page, "");
        end_as(end);
    }
    const std::string sentence = sentence_of(end, page);
    clean_up(child, page, sentence);
    if (page.restart == 0) throw Error(ExitCode::wrong_result, sentence);
    fmt::print("{}\n", sentence);
    std::fflush(stdout);
    return std::nullopt;
}

// Initializes the child process.
void begin_child(pid_t parent, GuardPage* page, const WaitedSignals& signals) {
    signals.unblock();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent has ended.
    if (getppid() != parent) std::_Exit(static_cast<int>(ExitCode::unavailable));
    set_guard_page(page);
}

}  // namespace

std::optional<int> run_guarded(const CandidateLimits& limits) {
    set_candidate_limits(limits);
    const SharedGuardPage page;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (;;) {
        std::fflush(nullptr);
        const WaitedSignals signals;
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child < 0)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot start a process: {}", std::strerror(errno)));
        if (child == 0) {
            begin_child(parent, page.get(), signals);
            return std::nullopt;
        }
        const ChildEnd end = wait_for_end(child, *page.get(), signals);
        if (const auto result = result_of(child, end, *page.get())) return result;
        for (auto& lock : page->locks) *lock = '\0';
        page->deadline = GuardPage::never;
        page->overflow = false;
        page->active = false;
    }
}

}  // namespace camber
