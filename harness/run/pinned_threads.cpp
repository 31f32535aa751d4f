#include "harness/run/pinned_threads.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <fstream>
#include <set>
#include <string>

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

PinnedThreads::PinnedThreads(int n, const std::vector<int>& cores) : n_(n) {
    sched_getaffinity(0, sizeof before_, &before_);
#pragma omp parallel num_threads(n)
    {
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(cores[omp_get_thread_num() % cores.size()], &own);
        sched_setaffinity(0, sizeof own, &own);
    }
}

PinnedThreads::~PinnedThreads() {
#pragma omp parallel num_threads(n_)
    sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace camber
