// Limits of a process that runs a submission: cores, processor time, memory, and system calls.
#pragma once

namespace camber::course {

struct Limits {
    double timeout = 20;       // s: a block on the executor; a compilation has at least 60 s
    double cpu_seconds = 120;  // of the whole submission
    int memory_mib = 4096;
};

// Limits the resources of this process and of those that it starts.
void limit_process(const Limits& limits);

// From now on, system calls end this process that start other processes, open files for writing,
// write to open files (except pwrite(), with which the process reports), change the file system,
// use networks or affect other processes. A second line of defense: screening rejects submissions
// that call functions of the system. Without effect if the system has no such filters.
void deny_system_calls();

}  // namespace camber::course
