#include "harness/base/process_limits.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstddef>

#include "harness/base/error.hpp"

namespace camber {

namespace {

// Loaded libraries, results, locks, pipes of a child process: a run has about a dozen open.
constexpr rlim_t fewest_files = 32;
constexpr rlim_t wanted_files = 256;
constexpr rlim_t smallest_stack = rlim_t{256} << 10;
constexpr rlim_t wanted_stack = rlim_t{8} << 20;

// The limit, after an attempt to raise one below `wanted`.
rlim_t raised(decltype(RLIMIT_NOFILE) resource, rlim_t wanted) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= wanted) return wanted;
    const rlimit higher{std::min(wanted, limit.rlim_max), limit.rlim_max};
    return setrlimit(resource, &higher) == 0 ? higher.rlim_cur : limit.rlim_cur;
}

// Threads take the stack limit that the program was started with.
void enlarge_stacks_of_threads() {
    pthread_attr_t attributes;
    if (pthread_getattr_default_np(&attributes) != 0) return;
    std::size_t bytes = 0;
    constexpr std::size_t enough = std::size_t{1} << 20;
    if (pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < enough &&
        pthread_attr_setstacksize(&attributes, wanted_stack) == 0)
        pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

}  // namespace

void require_process_limits() {
    if (const rlim_t files = raised(RLIMIT_NOFILE, wanted_files); files < fewest_files)
        throw Error(
            ExitCode::unavailable,
            fmt::format("this process may open {} files, and camber needs {}: raise the limit "
                        "(ulimit -n {})",
                        files, fewest_files, wanted_files));
    if (const rlim_t stack = raised(RLIMIT_STACK, wanted_stack); stack < smallest_stack)
        throw Error(
            ExitCode::unavailable,
            fmt::format("the stack of this process may have {} KiB, and camber needs {}: raise "
                        "the limit (ulimit -s {})",
                        stack >> 10, smallest_stack >> 10, wanted_stack >> 10));
    enlarge_stacks_of_threads();
}

}  // namespace camber
