#include "analysis/time/library_time.hpp"

namespace camber {

PredictedTime library_time(const LibraryWork& work, const Machine& machine) {
    PredictedTime time;
    if (work.kernels == 0) return time;
    const double bytes = work.read_bytes + work.written_bytes;
    if (bytes > 0) {
        const double each = bytes / work.kernels;
        time.parts.push_back({TimeResource::dram,
                              bytes / machine.memory_rate(each, work.written_bytes / bytes),
                              "bytes of libraries / bandwidth at that working set"});
    }
    // A kernel's first block and its last have nothing that hides their latencies.
    time.parts.push_back({TimeResource::launch,
                          work.kernels * (machine.stream_gap + 2 * machine.l2_latency),
                          "start and end of kernels, and stalls of their blocks"});
    for (const TimePart& part : time.parts) time.seconds += part.seconds;
    time.low = time.seconds / 2;
    time.high = time.seconds * 2;
    return time;
}

}  // namespace camber
