#include "harness/base/candidate_guard.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace camber {

namespace {

using Clock = std::chrono::steady_clock;

GuardPage* own_page = nullptr;
CandidateLimits own_limits;

// Gives the executor and LaunchWatch time to report first, as their messages are more precise.
constexpr std::chrono::seconds grace_for_own_report{5};

struct ActivityEntry {
    CandidateWork work;
    std::string candidate;
    std::chrono::duration<double> limit;
};
std::mutex activity_mutex;
std::vector<ActivityEntry> activities;
std::vector<std::string> known_names;
std::atomic<std::int64_t> block_limit{0};  // ns; 0: no candidate runs on the executor

std::int64_t nanoseconds_of(std::chrono::duration<double> time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::int64_t monotonic_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch())
        .count();
}

template <std::size_t N>
void copy_text(char (&to)[N], std::string_view text) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
}

// Call with `activity_mutex` locked.
void show_innermost() {
    own_page->active = !activities.empty();
    if (activities.empty()) {
        block_limit = 0;
        own_page->deadline = GuardPage::never;
        return;
    }
    const ActivityEntry& entry = activities.back();
    const bool on_executor = entry.work == CandidateWork::running;
    own_page->any = true;
    own_page->work = static_cast<int>(entry.work);
    own_page->limit = entry.limit.count();
    copy_text(own_page->candidate, entry.candidate);
    const bool reports_itself = on_executor || entry.work == CandidateWork::launching;
    const std::int64_t limit =
        nanoseconds_of(entry.limit) + (reports_itself ? nanoseconds_of(grace_for_own_report) : 0);
    block_limit = on_executor ? limit : 0;
    own_page->deadline = monotonic_now() + limit;
}

#if !defined(__SANITIZE_ADDRESS__) && defined(__linux__) && \
    (defined(__x86_64__) || defined(__aarch64__))

std::uintptr_t stack_pointer(const void* context) {
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
    #if defined(__x86_64__)
    return static_cast<std::uintptr_t>(registers.gregs[REG_RSP]);
    #else
    return registers.sp;
    #endif
}

// Code compiled with -fstack-clash-protection touches each page of a large frame as the stack
// pointer passes it, so an overflow is a fault close to the stack pointer.
extern "C" void note_overflow(int signal, siginfo_t* info, void* context) {
    constexpr std::uintptr_t near = 64 * 1024;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const std::uintptr_t stack = stack_pointer(context);
    if (own_page != nullptr && info->si_code > 0 && address + near >= stack &&
        address < stack + near)
        own_page->overflow = true;
    ::signal(signal, SIG_DFL);  // the fault occurs again, and ends the process
    if (info->si_code <= 0) raise(signal);
}

// Separate stack for the handler, because the thread's own is exhausted.
class HandlerStack {
  public:
    HandlerStack() : memory_(std::make_unique<std::byte[]>(bytes)) {
        stack_t stack{};
        stack.ss_sp = memory_.get();
        stack.ss_size = bytes;
        sigaltstack(&stack, &before_);
    }
    ~HandlerStack() { sigaltstack(&before_, nullptr); }

  private:
    static constexpr std::size_t bytes = 64 * 1024;
    std::unique_ptr<std::byte[]> memory_;
    stack_t before_{};
};

void handle_overflows() {
    struct sigaction action {};
    action.sa_sigaction = note_overflow;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
}

void give_handler_stack() {
    thread_local const HandlerStack stack;
}

#else  // AddressSanitizer has its own handler

void handle_overflows() {}
void give_handler_stack() {}

#endif

}  // namespace

void set_guard_page(GuardPage* shared) noexcept {
    own_page = shared;
    if (own_page == nullptr) return;
    handle_overflows();
    give_handler_stack();
}

bool is_guarded() noexcept {
    return own_page != nullptr;
}

bool is_candidate_active() noexcept {
    return own_page != nullptr && own_page->active;
}

const CandidateLimits& candidate_limits() {
    return own_limits;
}

void set_candidate_limits(const CandidateLimits& wanted) {
    own_limits = wanted;
}

std::chrono::milliseconds compilation_limit(std::chrono::milliseconds usual) {
    return own_limits.compilation
               ? std::chrono::duration_cast<std::chrono::milliseconds>(*own_limits.compilation)
               : usual;
}

CandidateActivity::CandidateActivity(CandidateWork work, std::string_view candidate,
                                     std::chrono::duration<double> limit) {
    if (own_page == nullptr) return;
    std::fflush(stdout);  // otherwise, buffered output is lost with the process
    const std::lock_guard lock(activity_mutex);
    activities.push_back({work, std::string(candidate), limit});
    show_innermost();
}

CandidateActivity::~CandidateActivity() {
    if (own_page == nullptr) return;
    const std::lock_guard lock(activity_mutex);
    activities.pop_back();
    show_innermost();
}

void add_candidate_name(const std::string& name) {
    const std::lock_guard lock(activity_mutex);
    if (std::ranges::find(known_names, name) == known_names.end()) known_names.push_back(name);
}

CandidateLaunch::CandidateLaunch(const std::string& launch) {
    if (own_page == nullptr) return;
    const bool known = [&] {
        const std::lock_guard lock(activity_mutex);
        return std::ranges::any_of(
            known_names, [&](const std::string& name) { return launch.starts_with(name); });
    }();
    if (known) activity_.emplace(CandidateWork::running, launch, own_limits.work);
}

void report_block() noexcept {
    if (const std::int64_t limit = block_limit.load(std::memory_order_relaxed); limit != 0)
        own_page->deadline.store(monotonic_now() + limit, std::memory_order_relaxed);
}

void report_overflows_of_thread() {
    if (own_page != nullptr) give_handler_stack();
}

namespace {
thread_local const char* purpose_now = "";

void show_purpose(const char* purpose) {
    purpose_now = purpose;
    const std::lock_guard lock(activity_mutex);
    if (own_page != nullptr) copy_text(own_page->purpose, purpose);
}
}  // namespace

CandidatePurpose::CandidatePurpose(const char* purpose) : before_(purpose_now) {
    show_purpose(purpose);
}

CandidatePurpose::~CandidatePurpose() {
    show_purpose(before_);
}

void report_exit(int code) noexcept {
    if (own_page == nullptr) return;
    own_page->deadline = GuardPage::never;
    own_page->end = code;
}

void report_exit_by_signal(int signal) noexcept {
    report_exit(GuardPage::by_signal + signal);
}

void restart_from(const Restart& point) noexcept {
    if (own_page == nullptr) return;
    own_page->restart_mark = point.mark;
    own_page->restart = point.number;
}

Restart restart() noexcept {
    return own_page == nullptr ? Restart{} : Restart{own_page->restart, own_page->restart_mark};
}

void report_lock(const std::string& path) {
    if (own_page == nullptr) return;
    const std::lock_guard lock(activity_mutex);
    for (auto& slot : own_page->locks)
        if (*slot == '\0' && path.size() < sizeof slot) return copy_text(slot, path);
}

void report_unlock(const std::string& path) {
    if (own_page == nullptr) return;
    const std::lock_guard lock(activity_mutex);
    for (auto& slot : own_page->locks)
        if (path == slot) {
            *slot = '\0';
            return;
        }
}

void set_rescue(const std::string& path, std::string_view text) {
    if (own_page == nullptr || own_page->rescue < 0) return;
    own_page->rescue_path[0] = '\0';  // until the text is complete
    if (path.empty() || path.size() >= sizeof own_page->rescue_path) return;
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t written =
            pwrite(own_page->rescue, text.data() + at, text.size() - at, static_cast<off_t>(at));
        if (written <= 0) return;
        at += static_cast<std::size_t>(written);
    }
    own_page->rescue_bytes = text.size();
    copy_text(own_page->rescue_path, path);
}

namespace {

using Clock = std::chrono::steady_clock;
using Ticks = Clock::rep;

constexpr Ticks idle = Clock::time_point::max().time_since_epoch().count();
constexpr Ticks over = 0;

// Global, so that queues need no reference to a watch. Each operation takes a few nanoseconds.
std::atomic<Ticks> limit{0};  // 0: no watch exists
std::atomic<Ticks> deadline{idle};

// Sets the deadline to `next` unless the time is already over, in which case the thread waits for
// the end of the process.
void move_deadline(Ticks next) noexcept {
    Ticks now = deadline.load(std::memory_order_relaxed);
    do
        while (now == over) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
            now = deadline;
        }
    while (!deadline.compare_exchange_weak(now, next));
}

}  // namespace

void watch_launch() noexcept {
    const Ticks allowed = limit.load(std::memory_order_relaxed);
    if (allowed != 0) move_deadline(Clock::now().time_since_epoch().count() + allowed);
}

WatchedWait::~WatchedWait() {
    if (limit.load(std::memory_order_relaxed) != 0) move_deadline(idle);
}

LaunchWatch::LaunchWatch(double seconds, std::function<void()> overdue)
    : overdue_(std::move(overdue)) {
    deadline = idle;
    limit =
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)).count();
    thread_ = std::thread([this] { watch(); });
}

LaunchWatch::~LaunchWatch() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    ended_.notify_all();
    thread_.join();
    limit = 0;
    deadline = idle;
}

void LaunchWatch::watch() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        const Ticks now = Clock::now().time_since_epoch().count();
        Ticks set = deadline;
        if (set <= now && deadline.compare_exchange_strong(set, over)) {
            lock.unlock();
            overdue_();
            return;
        }
        // Work that is submitted in the meantime has a later deadline than this.
        const Ticks next = set == idle || set <= now ? now + limit : set;
        ended_.wait_until(lock, Clock::time_point(Clock::duration(next)));
    }
}

}  // namespace camber
