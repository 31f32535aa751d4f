// cuda_pipeline.h for kernels compiled by the C++ compiler: copies from global to shared memory
// that are complete after a wait.
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

#endif
