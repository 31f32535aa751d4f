// Processes that candidates terminate, and device work that does not end.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"

namespace camber::guarded_process_test {

// End of a process that a candidate terminates

namespace {

using Seconds = std::chrono::duration<double>;

struct End {
    int exit_code = -1;
    int signal = 0;
    std::string sentence;
};

// Runs `work` in a guarded process. The guard is a separate process, too.
End end_of(const std::function<int()>& work, double limit = 20) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t guard = fork();
    REQUIRE(guard >= 0);
    if (guard == 0) {
        try {
            if (const auto code = run_guarded({Seconds(limit), {}})) _exit(*code);
            const int code = work();
            report_exit(code);
            _exit(code);
        } catch (const Error& error) {
            const std::string sentence = error.what();
            if (write(ends[1], sentence.data(), sentence.size()) < 0) _exit(99);
            _exit(static_cast<int>(error.code()));
        }
    }
    close(ends[1]);
    End end;
    char buffer[4096];
    for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
        end.sentence.append(buffer, static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(guard, &status, 0) == guard);
    if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    return end;
}

}  // namespace

TEST_CASE("a guarded process ends the program as it reports", "[guard]") {
    CHECK(end_of([] { return 0; }).exit_code == 0);
    CHECK(end_of([] { return 3; }).exit_code == 3);
    const End stopped = end_of([]() -> int {
        report_exit_by_signal(SIGTERM);
        std::signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
        return 0;
    });
    CHECK(stopped.signal == SIGTERM);
    CHECK(stopped.sentence.empty());
}

TEST_CASE("a process that ends without a report fails with the candidate's name", "[guard]") {
    const auto ends = [](CandidateWork work, const std::function<void()>& how) {
        return end_of([&] {
            const CandidatePurpose purpose("verify it");
            const CandidateActivity activity(work, "a.cu", Seconds(20));
            how();
            return 0;
        });
    };
    const End exited = ends(CandidateWork::running, [] { _exit(0); });
    CHECK(exited.exit_code == 4);
    CHECK(exited.sentence ==
          "a.cu called exit(0) while the executor ran it to verify it: remove the call, because "
          "only camber ends the process");
    const End aborted = ends(CandidateWork::loading, [] {
        std::signal(SIGABRT, SIG_DFL);  // not to the test program's own handler
        raise(SIGABRT);
    });
    CHECK(aborted.exit_code == 4);
    CHECK_THAT(aborted.sentence,
               contains("a.cu called abort() while its global variables were initialized: "));
    const End late = end_of([] {
        { const CandidateActivity activity(CandidateWork::loading, "a.cu", Seconds(20)); }
        _exit(0);
        return 0;
    });
    CHECK(late.exit_code == 4);
    CHECK_THAT(late.sentence, contains("a.cu called exit(0) after it had run: "));
}

TEST_CASE("without a candidate, a guarded process ends the program as it ends", "[guard]") {
    const End killed = end_of([] {
        raise(SIGKILL);
        return 0;
    });
    CHECK(killed.signal == SIGKILL);
    CHECK(end_of([] {
              _exit(5);
              return 0;
          }).exit_code == 5);
}

TEST_CASE("an activity that takes too long is ended, with its processes", "[guard]") {
    int alive[2];
    REQUIRE(pipe(alive) == 0);
    const auto begin = std::chrono::steady_clock::now();
    const End end = end_of(
        [&] {
            const CandidateActivity activity(CandidateWork::loading, "a.cu", Seconds(0.3));
            fork();
            for (;;) pause();
            return 0;
        },
        0.3);
    CHECK(end.exit_code == 4);
    CHECK_THAT(end.sentence, contains("a.cu was stopped after 0.3 s while its global variables"));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
    // Reads the end of file once no process can write any more.
    close(alive[1]);
    char byte;
    CHECK(read(alive[0], &byte, 1) == 0);
    close(alive[0]);
}

TEST_CASE("the limit of a launch counts from each block", "[guard][slow]") {
    add_candidate_name("life/a.cu");
    CHECK(end_of(
              [] {
                  const CandidateLaunch launch("life/a.cu (step)");
                  for (int i = 0; i < 8; ++i) {
                      usleep(1'000'000);
                      report_block();
                  }
                  return 0;
              },
              0.1)
              .exit_code == 0);
}

TEST_CASE("temporary folders of a process that was killed are removed", "[guard]") {
    const TemporaryFolder all("test temporary folders");
    const EnvironmentVariable variable("TMPDIR", all.path().string());
    const End end = end_of([] {
        const TemporaryFolder own("test");
        own.write("file", "text");
        const CandidateActivity activity(CandidateWork::loading, "a.cu", Seconds(20));
        _exit(0);
        return 0;
    });
    CHECK(end.exit_code == 4);
    CHECK(std::filesystem::is_empty(all.path()));
}

TEST_CASE("a compiler has its usual time unless --timeout is given", "[guard]") {
    using std::chrono::seconds;
    CHECK(compilation_limit(seconds(120)) == seconds(120));
    set_candidate_limits({Seconds(30), Seconds(30)});
    CHECK(compilation_limit(seconds(120)) == seconds(30));
    set_candidate_limits({});
}

}  // namespace camber::guarded_process_test

namespace camber::launch_watch_test {

// The watch notices device work that does not end, and only that

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void sleep(int ms) {
    std::this_thread::sleep_for(milliseconds(ms));
}

// Time until the watch reports; at most 5 s.
milliseconds until(const std::atomic<bool>& overdue, Clock::time_point start) {
    while (!overdue && Clock::now() - start < milliseconds(5000)) sleep(1);
    return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
}

}  // namespace

TEST_CASE("a launch that does not end is overdue when its time is over", "[watch]") {
    std::atomic<bool> overdue = false;
    const LaunchWatch watch(0.2, [&] { overdue = true; });
    sleep(300);  // nothing is submitted
    CHECK_FALSE(overdue);
    const auto start = Clock::now();
    watch_launch();
    const auto taken = until(overdue, start);
    CHECK(overdue);
    CHECK(taken >= milliseconds(200));
    CHECK(taken < milliseconds(2000));
}

TEST_CASE("every launch gives the work more time, and a wait ends the watch", "[watch]") {
    std::atomic<bool> overdue = false;
    const LaunchWatch watch(0.4, [&] { overdue = true; });
    for (int i = 0; i < 10; ++i) {
        watch_launch();
        sleep(80);
    }
    { const WatchedWait wait; }
    sleep(600);  // the host computes
    CHECK_FALSE(overdue);
    watch_launch();
    CHECK(until(overdue, Clock::now()) < milliseconds(3000));
    CHECK(overdue);
}

TEST_CASE("a wait for a device is watched from its beginning", "[watch]") {
    std::atomic<bool> overdue = false;
    {
        const LaunchWatch watch(0.1, [&] { overdue = true; });
        // A queue that never returns: the thread that waits for it is blocked forever.
        std::thread([] {
            watch_launch();
            sleep(50);
            const WatchedWait wait;
            sleep(100000);
        }).detach();
        until(overdue, Clock::now());
    }
    CHECK(overdue);
}

TEST_CASE("without a watch nothing is watched", "[watch]") {
    watch_launch();
    { const WatchedWait wait; }
    std::atomic<bool> overdue = false;
    const LaunchWatch watch(0.05, [&] { overdue = true; });
    sleep(200);
    CHECK_FALSE(overdue);
}

}  // namespace camber::launch_watch_test
