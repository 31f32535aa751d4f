// cuda_pipeline.h and cuda/pipeline for kernels compiled by the C++ compiler: copies from global to
// shared memory that are complete after a wait.
#ifndef CAMBER_ASYNC
#define CAMBER_ASYNC

CAMBER_WORD void __pipeline_memcpy_async(void* to, const void* from, size_t size,
                                         size_t zeros = 0) {
    camber_host->copy_async(to, from, size, zeros, CAMBER_HERE);
}
CAMBER_WORD void __pipeline_commit() {
    camber_host->copies(0, 0);
}
// All batches but the last `pending` are complete.
CAMBER_WORD void __pipeline_wait_prior(size_t pending) {
    camber_host->copies(1, pending);
}

namespace cuda {
enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};
template <size_t alignment>
struct aligned_size_t {
    size_t value;
    CAMBER_PART constexpr explicit aligned_size_t(size_t value) : value(value) {}
    CAMBER_PART constexpr operator size_t() const { return value; }
};
template <thread_scope scope, unsigned stages>
struct pipeline_shared_state {};

// In a pipeline of a block, every thread copies and reads, and a wait or a reused stage is a barrier
// of the block.
template <thread_scope scope>
struct pipeline {
    unsigned camber_stages = 0, camber_acquired = 0, camber_committed = 0, camber_waited = 0;
    CAMBER_PART void producer_acquire() {
        if (scope != thread_scope_thread && camber_acquired >= camber_stages)
            camber_host->block_barrier(CAMBER_HERE);
        ++camber_acquired;
    }
    CAMBER_PART void producer_commit() {
        camber_host->copies(0, 0);
        ++camber_committed;
    }
    // Completes the oldest batch that was not waited for yet.
    CAMBER_PART void consumer_wait() {
        if (camber_waited < camber_committed) ++camber_waited;
        camber_host->copies(1, camber_committed - camber_waited);
        if (scope != thread_scope_thread) camber_host->block_barrier(CAMBER_HERE);
    }
    CAMBER_PART void consumer_release() {}
    CAMBER_PART bool quit() { return true; }
};
CAMBER_WORD pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope scope, unsigned stages>
CAMBER_WORD pipeline<scope> make_pipeline(const Group&, pipeline_shared_state<scope, stages>*) {
    return {stages, 0, 0, 0};
}
template <unsigned char pending>
CAMBER_WORD void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& pipe) {
    if (pipe.camber_committed > pending) pipe.camber_waited = pipe.camber_committed - pending;
    camber_host->copies(1, pending);
}

// Copies in units of 16, 8 or 4 bytes, whatever divides both addresses and the size. Bytes that no
// unit covers are copied at once.
CAMBER_PART inline void camber_copy_units(char* to, const char* from, size_t bytes, size_t first,
                                          size_t threads, void* pc) {
    const size_t all = (size_t)to | (size_t)from | bytes;
    const size_t unit = all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : 4;
    for (size_t at = first * unit; at + unit <= bytes; at += threads * unit)
        camber_host->copy_async(to + at, from + at, unit, 0, pc);
    if (first > 0) return;
    for (size_t at = bytes / unit * unit; at < bytes; ++at) {
        camber_touch(from + at, 1, 0, pc);
        camber_touch(to + at, 1, 1, pc);
        to[at] = from[at];
    }
}
template <thread_scope scope>
CAMBER_WORD void memcpy_async(void* to, const void* from, size_t bytes, pipeline<scope>&) {
    camber_copy_units((char*)to, (const char*)from, bytes, 0, 1, CAMBER_HERE);
}
template <class Group, thread_scope scope>
CAMBER_WORD void memcpy_async(const Group& group, void* to, const void* from, size_t bytes,
                              pipeline<scope>&) {
    camber_copy_units((char*)to, (const char*)from, bytes, group.thread_rank(), group.size(),
                      CAMBER_HERE);
}
}  // namespace cuda

#endif
