// Interface by which the executor reports a launch while it records: memory accesses, copies,
// barriers and library calls.
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

// Field that an access belongs to, as described by its view.
struct Field {
    const char* name = "";
    Layout layout;
    const void* origin = nullptr;  // interior cell (0, 0)
    int element_size = 0;          // bytes; an access may cover several elements, or part of one
};

// One access of one CUDA thread. Accesses of a warp's lanes with equal (site, operation,
// occurrence) form one warp request.
struct Access {
    SiteId site;  // see SiteTable
    // Number of earlier accesses of this thread with the same site and operation in this launch, or
    // since its last grid barrier.
    std::uint32_t occurrence;
    const void* address;  // in shared memory: offset from the start of the block's shared memory
    const Field* field;   // nullptr in shared memory; valid during the call
    std::uint32_t size;   // bytes
    Operation operation;
    Space space;
    Index3 block;
    std::uint32_t thread;     // linear index in the block; warp = thread / 32, lane = thread % 32
    std::uint32_t barrier;    // block barriers this thread has passed
    std::uint32_t warp_sync;  // times it has passed a __syncwarp() of its whole warp
    std::uint32_t cluster_barrier = 0;  // cluster barriers this thread has passed
    std::uint32_t rounds = 0;           // counted by count_round()
    std::uint32_t owner = 0;            // in shared memory: cluster rank of the block that owns it
};

// An operation of a thread on bulk copies or on the barriers that threads wait at for them.
struct CopyEvent {
    enum class Kind {
        made,    // a barrier was initialized
        used,    // the thread arrived at a barrier
        begun,   // a copy was started, counted by a barrier's phase
        awaited  // a barrier's phase was waited for: all its copies are complete
    } kind;
    SiteId site;
    std::uint32_t copy_barrier;  // barrier offset in the block's shared memory
    std::uint64_t phase;         // number, counted from 0
    std::uint32_t offset = 0;    // of the bytes that a copy writes
    std::uint32_t size = 0;
    Index3 block;
    std::uint32_t thread;  // this member and the next two are as in Access
    std::uint32_t barrier;
    std::uint32_t warp_sync;
    std::uint32_t cluster_barrier = 0;
};

// A library algorithm on a queue, which runs unrecorded kernels on a device: their number, and the
// bytes of device memory that they read and write.
struct LibraryCall {
    const char* name = "";  // "sort"
    std::int64_t read_bytes = 0;
    std::int64_t written_bytes = 0;
    int kernels = 0;
};

// Receives every access of a launch, block after block. Within a block, accesses have the order in
// which the executor runs the threads: each from barrier to barrier. Grid barriers divide a
// cooperative launch into parts, each of which is recorded block after block. Cluster barriers
// divide a cluster in the same way; clusters follow one after another. Called by one CPU thread.
class Recorder {
  public:
    virtual ~Recorder() = default;
    // `sites` and its numbers stay valid for the lifetime of the executor.
    virtual void begin_launch(const Launch&, const SiteTable& /*sites*/) {}
    virtual void record(const Access& access) = 0;
    // The bytes that a copy reads are also reported as accesses.
    virtual void copy(const CopyEvent&) {}
    // All threads of the block have returned, or wait at a grid barrier, after which the block
    // continues. Not called for a block that faults.
    virtual void end_block(const Index3& /*block*/) {}
    // All blocks have reached a grid barrier.
    virtual void grid_barrier() {}
    // Called between launches.
    virtual void library(const LibraryCall&) {}
    // The running block has waited until `counter` reached `number`.
    virtual void waited(const void* /*counter*/, std::uint32_t /*number*/) {}
    // The running block has incremented `counter` to `number`.
    virtual void counted(const void* /*counter*/, std::uint32_t /*number*/) {}
};

}  // namespace camber::simt
