// A launch of a candidate kernel on the executor: the memory that it may access, the loops that its
// lanes run through, and the handling of each access. Every access is checked before it is executed,
// and recorded while a recorder is set.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/machine/simt/recorder.hpp"
#include "harness/machine/simt/site_table.hpp"
#include "harness/machine/simt/thread.hpp"
#include "harness/own/host/host_library.hpp"

namespace camber {

// Loop iterations of each lane of a launch. Accesses of one instruction are matched across lanes by
// iteration, even if some lanes skip an access.
//
// Instrumentation reports the beginning of each basic block. Unoptimized code has the order of the
// source, so that a jump to an earlier address of the same function closes a loop between the two
// addresses.

// Loops found so far in a launch's code. A loop is added when a lane jumps back in it.
using LoopEnds = std::map<std::uintptr_t, std::uintptr_t>;  // first address to last address

// Counters by 64-bit hash. clear() costs no time, so that each block can begin with empty counters.
class VisitCounts {
  public:
    void clear();
    // Counter of `what`, 0 at first. The reference is valid until the next call.
    std::uint32_t& operator[](std::uint64_t what) {
        if (2 * (filled_ + 1) > slots_.size()) grow();
        std::size_t i = what & (slots_.size() - 1);
        for (; slots_[i].epoch == epoch_; i = (i + 1) & (slots_.size() - 1))
            if (slots_[i].what == what) return slots_[i].count;
        slots_[i] = {what, epoch_, 0};
        ++filled_;
        return slots_[i].count;
    }

  private:
    struct Slot {
        std::uint64_t what = 0;
        std::uint32_t epoch = 0;  // the slot is free unless it is the current one
        std::uint32_t count = 0;
    };
    void grow();

    std::vector<Slot> slots_ = std::vector<Slot>(16);  // open addressing; a power of two
    std::size_t filled_ = 0;
    std::uint32_t epoch_ = 1;
};

// Numbers for the visits to a site, as simt::VisitNumbers, for sites that are hashes.
class SiteVisits {
  public:
    std::uint32_t number(std::uint64_t site, std::uint64_t what) {
        std::uint32_t& number = numbers_[simt::joined_hash(site, what)];
        if (number == 0) number = ++of_sites_[site];
        return number - 1;
    }

  private:
    VisitCounts numbers_;   // from 1
    VisitCounts of_sites_;  // number of visits
};

// Path of one lane through functions and loops.
class LoopPath {
  public:
    void begin();  // at the start of the kernel
    // Enters a function that accesses memory; `outer_path`: the executor's call path before the
    // call.
    void enter(int function, simt::SiteId outer_path);
    // Leaves the function; returns its `outer_path`.
    simt::SiteId leave();
    bool inside() const { return !frames_.empty(); }
    std::size_t depth() const { return frames_.size(); }
    // A basic block of `function` begins.
    void branch(std::uintptr_t pc, int function, LoopEnds& ends);
    // Hash that differs for every iteration of the open loops.
    std::uint64_t iteration() const { return loops_.empty() ? 0 : loops_.back().hash; }
    // Number of earlier calls of count() with `what`, a hash, since the start of the kernel.
    std::uint32_t count(std::uint64_t what) { return counts_[what]++; }

  private:
    struct Loop {
        std::uintptr_t first;
        std::uint32_t iteration;
        const std::uintptr_t* last;  // value of LoopEnds
        std::uint64_t entered;       // hash of the outer loops' iterations and of this loop
        std::uint64_t hash;          // the same, with this loop's iteration
    };
    struct Frame {
        int function;
        simt::SiteId outer_path;
        std::uintptr_t last = 0;  // start of the latest basic block
        std::size_t loops = 0;    // number of open loops in outer frames
    };

    std::vector<Frame> frames_;
    std::vector<Loop> loops_;  // open loops of all frames, outermost first
    VisitCounts counts_;
};

// Buffer of a field.
struct PlainField {
    std::string name;
    void* base = nullptr;  // start of the allocation that `layout` describes
    Layout layout;
    int element_size = 0;
    std::vector<std::int64_t> shape = {};  // of an array; empty for a board's field
};

// Target of a cudaTextureObject_t.
struct PlainTexture {
    PlainField field;
    TextureShape shape = TextureShape::pitched;
};

class PlainLaunch {
  public:
    // `library` and the fields' memory must outlive the object. A thread that exceeds `limit` ends
    // the launch. `cooperative`: blocks take turns on one CPU thread, each until it waits at a grid
    // barrier.
    PlainLaunch(const HostLibrary& library, std::vector<PlainField> fields,
                std::size_t dynamic_shared, std::chrono::duration<double> limit, bool cooperative);
    PlainLaunch(const PlainLaunch&) = delete;
    PlainLaunch& operator=(const PlainLaunch&) = delete;

    // Runs one CUDA thread of the launch. Throws KernelFault, and Error(wrong_result) if the time
    // limit is exceeded.
    void run_thread(const CamberKernel& kernel, void** arguments);

    // Functions for compiled kernels; each one finds the launch of its thread.
    static const CamberHost& host();

  private:
    struct Range {
        std::uintptr_t begin;
        std::uintptr_t end;
        simt::Field field;
        std::string name;
        std::int64_t elements;  // of an array, which is contiguous; 0 for a board's field
    };
    struct Target {
        simt::Space space = simt::Space::global;
        const simt::Field* field = nullptr;
        const void* address = nullptr;  // address for the recorder
        bool recorded = false;          // false for local memory and tables
    };
    // Saved state of a block that waits at a grid barrier.
    struct RestingBlock {
        std::vector<std::byte> shared;
        std::vector<LoopPath> lanes;
    };
    // Bytes on their way to shared memory. Until the thread waits, the target contains poison, so
    // that an early read yields wrong values.
    struct PendingCopy {
        std::byte* to;
        std::vector<std::byte> bytes;
    };
    // A thread's batches of copies, in order; the last one is not complete.
    using PendingCopies = std::deque<std::vector<PendingCopy>>;
    friend struct PlainCalls;

    // Begins a block's turn: loads its shared memory into the CPU thread's variables.
    void enter_block();
    void grid_barrier(void* pc);
    void access(const volatile void* address, std::size_t size, simt::Operation operation, void* pc,
                unsigned piece);
    Target target_of(std::uintptr_t address, std::size_t size, void* pc) const;
    Target in_field(const Range& range, std::uintptr_t address, std::size_t size, void* pc) const;
    // Offset in the shared memory of the running block; nullopt if `address` is elsewhere.
    std::optional<std::uintptr_t> offset_in_shared(std::uintptr_t address) const;
    Target in_shared(std::uintptr_t address, std::size_t size, void* pc) const;
    [[noreturn]] void report_nowhere(std::uintptr_t address, std::size_t size, void* pc) const;
    void record(const Target& target, std::size_t size, simt::Operation operation, void* pc,
                unsigned piece);
    void fetch(const PlainTexture& texture, long row, long column, std::size_t size, void* value,
               void* pc);
    void copy_async(void* to, const void* from, std::size_t size, std::size_t zeros, void* pc);
    PendingCopies& pending_copies();
    // Ends a batch of copies (operation 0), or waits until `pending` batches are left.
    void commit_or_wait(int operation, unsigned long pending);
    void bulk_copy(void* to, const void* from, std::size_t size, const void* barrier, void* pc);
    // Address for the executor and the recorder of a cuda::barrier.
    const void* barrier_at(const void* barrier, void* pc) const;
    unsigned long barrier(int operation, const void* barrier, unsigned long value,
                          unsigned long bytes, void* pc) const;
    void enter(void* caller, void* pc);
    void leave();
    void branch(void* pc);
    void check_time(void* pc);
    LoopPath& lane();  // of the running thread; only while recording
    std::source_location place(void* pc) const { return library_.place(pc).location(); }

    const HostLibrary& library_;
    std::vector<Range> ranges_;
    std::uintptr_t constant_begin_;
    std::uintptr_t constant_end_;
    simt::Field constant_;
    std::size_t dynamic_shared_;
    std::chrono::duration<double> limit_;
    bool cooperative_;
    std::map<std::uint64_t, RestingBlock>
        resting_;  // of a cooperative launch, by the block's epoch
    // Used only while recording, on one CPU thread.
    std::vector<LoopPath> lanes_;
    LoopEnds loop_ends_;
    SiteVisits visits_;
};

}  // namespace camber
