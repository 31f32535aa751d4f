// How near a case comes to each of the device's limits.
#pragma once

#include <optional>
#include <vector>

#include "analysis/memory/resource.hpp"
#include "analysis/profile/facts.hpp"

namespace camber::profile {

struct Utilisation {
    Resource resource = Resource::dram;
    double rate = 0;     // per second
    double ceiling = 0;  // per second
    bool estimate = false;

    double share() const { return rate / ceiling; }
};

// The highest DRAM bandwidth for this mixture of reads and writes: between the measured ones of
// reading only, copying (half and half) and writing only, linearly in the share of writes. Where
// only the copy was measured, that.
std::optional<double> dram_ceiling(const Ceilings& ceilings, double read_bytes, double write_bytes);

// No device gives so much of a ceiling: counters that say so are of a launch that did more than
// those that were timed, as where lava covers fewer cells by then. Estimates tell nothing of it.
inline constexpr double impossible_share = 1.2;
bool is_impossible(const Utilisation& use);

// Every resource whose counters and ceiling are known and that was used at all, largest share
// first. Rates are amounts of one launch over its timed median: the counters' own time, in which
// kernels are replayed and serialised, and which for short launches includes the host's, is not
// used. In detail:
//   DRAM           bytes read and written, against dram_ceiling()
//   L2             sectors of 32 bytes read and written
//   L1             sectors of 32 bytes of global and texture accesses, but at least one wavefront
//                  of 128 bytes per request: a request occupies the data path for a cycle even if
//                  it needs less
//   shared memory  wavefronts of 128 bytes, those of bank conflicts included
//   issue slots    warp instructions, against one per cycle of each of an SM's 4 schedulers (from
//                  compute capability 7.0 on) at the SM clock
//   ALU pipe       an estimate: thread instructions in full warps times the share of integer,
//                  logic, shift and predicate instructions in the program text, which presumes
//                  that all are executed equally often; against the LOP3 rate
//   FP32, FP64     additions, multiplications and fused multiply-adds of threads, each counted as
//                  the two operations that the ceiling counts for a fused multiply-add
std::vector<Utilisation> utilisations(const Facts& facts);

// Of a case that was timed on the GPU of `run`: the resource that it uses most of what the device
// can give, on one device. Nothing without counters, with those of another stage, and for cases
// that were not timed on a GPU.
std::optional<Utilisation> binding_limit(const results::Run& run,
                                         const results::CaseRecord& record);

}  // namespace camber::profile
