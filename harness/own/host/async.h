// cuda_pipeline.h, cuda/pipeline and cuda/barrier for kernels compiled by the C++ compiler: copies
// from global to shared memory that are complete after a wait.
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

// A barrier of the block's threads, which also counts bulk copies. If one thread arrives for all
// (of an `init(&b, 1)`), waiting makes copies visible and orders nothing else.
template <thread_scope scope, class Completion = void>
struct barrier {
    unsigned camber_arrivals;  // per phase
    unsigned camber_bytes;     // announced since the last arrival
    using arrival_token = unsigned long;
    CAMBER_PART arrival_token camber_arrive(ptrdiff_t count, size_t bytes, void* pc) {
        camber_host->copies(0, 0);
        camber_host->copies(1, 0);
        bytes += camber_bytes;
        camber_bytes = 0;
        return camber_host->barrier(1, this, count, bytes, pc);
    }
    CAMBER_PART void camber_wait(arrival_token phase, void* pc) const {
        camber_host->barrier(camber_arrivals > 1 ? 3 : 2, this, phase, 0, pc);
    }
    CAMBER_PART arrival_token arrive(ptrdiff_t count = 1) {
        return camber_arrive(count, 0, CAMBER_HERE);
    }
    CAMBER_PART void wait(arrival_token phase) const { camber_wait(phase, CAMBER_HERE); }
    CAMBER_PART bool try_wait(arrival_token phase) const {
        camber_wait(phase, CAMBER_HERE);
        return true;
    }
    CAMBER_PART void arrive_and_wait() {
        camber_wait(camber_arrive(1, 0, CAMBER_HERE), CAMBER_HERE);
    }
    // Waits for the latest phase of that parity.
    CAMBER_PART void wait_parity(bool parity) const {
        const arrival_token now = camber_host->barrier(4, this, 0, 0, CAMBER_HERE);
        camber_wait(now % 2 == parity ? now : now - 1, CAMBER_HERE);
    }
    CAMBER_PART bool try_wait_parity(bool parity) const {
        const arrival_token now = camber_host->barrier(4, this, 0, 0, CAMBER_HERE);
        camber_wait(now % 2 == parity ? now : now - 1, CAMBER_HERE);
        return true;
    }
};
template <thread_scope scope, class Completion>
CAMBER_WORD void init(barrier<scope, Completion>* at, ptrdiff_t arrivals) {
    at->camber_arrivals = (unsigned)arrivals;
    at->camber_bytes = 0;
    camber_host->barrier(0, at, arrivals, 0, CAMBER_HERE);
}

// Copies whose size and addresses are multiples of 16 by their types are bulk copies, as on GPUs of
// compute capability 9.0.
template <class T>
struct camber_alignment {
    static constexpr size_t value = alignof(T);
};
template <>
struct camber_alignment<void> {
    static constexpr size_t value = 1;
};
template <thread_scope scope, class Completion>
CAMBER_PART void camber_bulk_copy(void* to, const void* from, size_t bytes, size_t announced,
                                  barrier<scope, Completion>& at, void* pc) {
    camber_host->bulk_copy(to, from, bytes, &at, pc);
    at.camber_bytes += announced;
}
template <class T, class U, size_t alignment, thread_scope scope, class Completion>
CAMBER_WORD void memcpy_async(T* to, const U* from, aligned_size_t<alignment> bytes,
                              barrier<scope, Completion>& at) {
    if (alignment >= 16 || camber_alignment<T>::value >= 16)
        camber_bulk_copy(to, from, bytes, bytes, at, CAMBER_HERE);
    else
        camber_copy_units((char*)to, (const char*)from, bytes, 0, 1, CAMBER_HERE);
}
template <class T, class U, thread_scope scope, class Completion>
CAMBER_WORD void memcpy_async(T* to, const U* from, size_t bytes, barrier<scope, Completion>& at) {
    if (camber_alignment<T>::value >= 16)
        camber_bulk_copy(to, from, bytes, bytes, at, CAMBER_HERE);
    else
        camber_copy_units((char*)to, (const char*)from, bytes, 0, 1, CAMBER_HERE);
}
template <class Group, class T, class U, size_t alignment, thread_scope scope, class Completion>
CAMBER_WORD void memcpy_async(const Group& group, T* to, const U* from,
                              aligned_size_t<alignment> bytes, barrier<scope, Completion>& at) {
    if (alignment < 16 && camber_alignment<T>::value < 16)
        camber_copy_units((char*)to, (const char*)from, bytes, group.thread_rank(), group.size(),
                          CAMBER_HERE);
    else if (group.thread_rank() == 0)
        camber_bulk_copy(to, from, bytes, bytes, at, CAMBER_HERE);
}
template <class Group, class T, class U, thread_scope scope, class Completion>
CAMBER_WORD void memcpy_async(const Group& group, T* to, const U* from, size_t bytes,
                              barrier<scope, Completion>& at) {
    if (camber_alignment<T>::value < 16)
        camber_copy_units((char*)to, (const char*)from, bytes, group.thread_rank(), group.size(),
                          CAMBER_HERE);
    else if (group.thread_rank() == 0)
        camber_bulk_copy(to, from, bytes, bytes, at, CAMBER_HERE);
}
namespace device {
template <thread_scope scope, class Completion>
CAMBER_WORD unsigned long barrier_arrive_tx(barrier<scope, Completion>& at, ptrdiff_t count,
                                            ptrdiff_t bytes) {
    return at.camber_arrive(count, bytes, CAMBER_HERE);
}
template <thread_scope scope, class Completion>
CAMBER_WORD void barrier_expect_tx(barrier<scope, Completion>& at, ptrdiff_t bytes) {
    at.camber_bytes += (unsigned)bytes;
}
template <class T, class U, size_t alignment, thread_scope scope, class Completion>
CAMBER_WORD void memcpy_async_tx(T* to, const U* from, aligned_size_t<alignment> bytes,
                                 barrier<scope, Completion>& at) {
    camber_bulk_copy(to, from, bytes, 0, at, CAMBER_HERE);
}
namespace experimental {
template <thread_scope scope, class Completion>
CAMBER_WORD void cp_async_bulk_global_to_shared(void* to, const void* from, uint32_t bytes,
                                                barrier<scope, Completion>& at) {
    camber_bulk_copy(to, from, bytes, 0, at, CAMBER_HERE);
}
CAMBER_WORD void fence_proxy_async_shared_cta() {}
}  // namespace experimental
}  // namespace device
}  // namespace cuda

#endif
