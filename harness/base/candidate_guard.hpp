// Reports of a process that runs candidates, kernels from a user's own files, to the process that
// guards it (guarded_process.hpp). A candidate can end its process at any moment; the guard then
// knows which candidate was at work, what it did, and that camber itself did not choose the end.
// In a process without a guard, all reports do nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace camber {

// Time limits for candidates (--timeout).
struct CandidateLimits {
    // For initializers of a library, a block on the executor, and a GPU's work.
    std::chrono::duration<double> work{20};
    // For a compiler; nullopt: each kind of compilation has its own.
    std::optional<std::chrono::duration<double>> compilation;
};
const CandidateLimits& candidate_limits();
void set_candidate_limits(const CandidateLimits& limits);

// The limit for a compiler that usually has `usual`.
std::chrono::milliseconds compilation_limit(std::chrono::milliseconds usual);

enum class CandidateWork {
    compiling,  // by a compiler in this process
    loading,    // initializers of its global variables
    running,    // on the executor, block by block
    launching,  // its own function that launches kernels on a GPU
};

// While one lives, code of `candidate` runs in this process. The guard ends the process if that
// takes longer than `limit`. One may live within the life of another.
class CandidateActivity {
  public:
    CandidateActivity(CandidateWork work, std::string_view candidate,
                      std::chrono::duration<double> limit);
    ~CandidateActivity();
    CandidateActivity(const CandidateActivity&) = delete;
    CandidateActivity& operator=(const CandidateActivity&) = delete;
};

// Registers the name of a candidate's variant.
void add_candidate_name(const std::string& name);

// A launch on the executor: an activity if `launch`, which begins with the variant's name, belongs
// to a candidate.
class CandidateLaunch {
  public:
    explicit CandidateLaunch(const std::string& launch);

  private:
    std::optional<CandidateActivity> activity_;
};

// A block begins, or continues after a barrier of the grid: the limit counts from here.
void report_block() noexcept;

// Lets the calling thread report that a candidate overflowed its stack.
void report_overflows_of_thread();

// The purpose of what runs while one lives, for the guard's sentence: "verify it".
class CandidatePurpose {
  public:
    explicit CandidatePurpose(const char* purpose);
    ~CandidatePurpose();
    CandidatePurpose(const CandidatePurpose&) = delete;
    CandidatePurpose& operator=(const CandidatePurpose&) = delete;

  private:
    const char* before_;
};

// camber itself ends this process, with this exit code, or by this signal.
void report_exit(int code) noexcept;
void report_exit_by_signal(int signal) noexcept;

// From now on, if a candidate ends this process, the guard prints why to standard output and starts
// a new one in its place, in which restart() has these values.
struct Restart {
    int number = 0;  // 0: the process is the first one
    std::size_t mark = 0;
};
void restart_from(const Restart& point) noexcept;
Restart restart() noexcept;

// Hands the guard the text of a results file for the case that a candidate ends this process while
// it is at work. `text` contains rescue_reason where the guard's sentence belongs; empty: the file
// stays as it is. Empty `path`: there is no file.
inline constexpr std::string_view rescue_reason = "@camber: why the candidate failed@";
void set_rescue(const std::string& path, std::string_view text);
bool is_guarded() noexcept;

}  // namespace camber
