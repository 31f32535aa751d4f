// What the executor tells of a launch while it records.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

using camber::Operation;
using camber::Space;

struct Launch;
class SiteTable;

// The field that an access belongs to, as its view knows it.
struct Field {
    const char* name = "";
    Layout layout;
    const void* origin = nullptr;  // interior cell (0, 0)
    int element_size = 0;          // bytes; an access may take several elements, or part of one
};

// One access of one CUDA thread. Lanes of a warp whose accesses agree in (site, operation,
// occurrence) form one warp request.
struct Access {
    SiteId site;  // see SiteTable
    // How often this thread did this here before, in this launch, or since its last grid barrier.
    std::uint32_t occurrence;
    const void* address;  // shared memory: an offset from the start of its block's
    const Field* field;   // nullptr in shared memory; valid during the call
    std::uint32_t size;   // bytes
    Operation operation;
    Space space;
    Index3 block;
    std::uint32_t thread;     // linear index in the block; warp = thread / 32, lane = thread % 32
    std::uint32_t barrier;    // block barriers this thread has passed
    std::uint32_t warp_sync;  // times it has passed a __syncwarp() of its whole warp
    std::uint32_t cluster_barrier = 0;  // cluster barriers this thread has passed
    std::uint32_t rounds = 0;           // that it has counted: see count_round()
    std::uint32_t owner = 0;  // shared memory: rank in the cluster of the block whose it is
};

// What a thread does with bulk copies and the barriers by which they are waited for.
struct CopyEvent {
    enum class Kind {
        made,    // a barrier
        used,    // a barrier: the thread arrives
        begun,   // a copy, counted by a barrier's phase
        awaited  // a barrier's phase: all its copies have come
    } kind;
    SiteId site;
    std::uint32_t copy_barrier;  // its offset in the block's shared memory
    std::uint64_t phase;         // number, from 0 on
    std::uint32_t offset = 0;    // of the bytes that a copy writes
    std::uint32_t size = 0;
    Index3 block;
    std::uint32_t thread;  // this and the next two as an access has them
    std::uint32_t barrier;
    std::uint32_t warp_sync;
    std::uint32_t cluster_barrier = 0;
};

// What a library does on a queue in place of a kernel: on a device in these many kernels of its
// own, whose accesses nobody sees. Bytes of memory that it reads and writes there.
struct LibraryCall {
    const char* name = "";  // "sort"
    std::int64_t read_bytes = 0;
    std::int64_t written_bytes = 0;
    int kernels = 0;
};

// Receives every access of a launch, block after block; within a block in the order in which the
// executor runs the threads: each from barrier to barrier. Grid barriers divide a cooperative
// launch into parts, each of them block after block. Cluster barriers divide what a cluster does
// so, and one cluster comes after another. Called by one CPU thread.
class Recorder {
  public:
    virtual ~Recorder() = default;
    // `sites` stays valid, and keeps its numbers, as long as the executor lives.
    virtual void begin_launch(const Launch&, const SiteTable& /*sites*/) {}
    virtual void record(const Access& access) = 0;
    // What a copy reads comes as accesses, too.
    virtual void copy(const CopyEvent&) {}
    // All threads of the block have returned, or wait at a grid barrier, after which the block goes
    // on. Does not come for a block that faults.
    virtual void end_block(const Index3& /*block*/) {}
    // All blocks have come to a grid barrier.
    virtual void grid_barrier() {}
    // Between launches.
    virtual void library(const LibraryCall&) {}
    // The block that runs has waited until `counter` came to `number`.
    virtual void waited(const void* /*counter*/, std::uint32_t /*number*/) {}
    // It has counted `counter` up to `number`.
    virtual void counted(const void* /*counter*/, std::uint32_t /*number*/) {}
};

}  // namespace camber::simt
