#include "harness/measure/pinned_threads.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "workloads/core/parallel_rows.hpp"

namespace camber {

std::vector<int> cpu_cores(const std::filesystem::path& root) {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    std::vector<int> cores;
    std::set<std::string> seen;  // the siblings of a core, the same text for each of them
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) continue;
        std::ifstream file(
            root / fmt::format("sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
        std::string siblings;
        if (!std::getline(file, siblings)) siblings = std::to_string(cpu);
        if (seen.insert(siblings).second) cores.push_back(cpu);
    }
    return cores;
}

namespace {

// Each of n threads of both kinds of teams calls f with its number.
void in_teams(int n, const std::function<void(int thread)>& f) {
    each_of_team(n, f);
#pragma omp parallel num_threads(n)
    f(omp_get_thread_num());
}

}  // namespace

PinnedThreads::PinnedThreads(int n, const std::vector<int>& cores) : n_(n) {
    sched_getaffinity(0, sizeof before_, &before_);
    in_teams(n, [&](int thread) {
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(cores[static_cast<std::size_t>(thread) % cores.size()], &own);
        sched_setaffinity(0, sizeof own, &own);
    });
}

PinnedThreads::~PinnedThreads() {
    in_teams(n_, [&](int) { sched_setaffinity(0, sizeof before_, &before_); });
}

}  // namespace camber
