// Functions that host-compiled kernels call: for CUDA's built-ins, and from the instrumentation
// that the C++ compiler inserts at every load, store and branch. The program sets the pointers
// before a kernel runs. This file is also compiled together with the kernel and therefore includes
// nothing.
//
// `pc`: a return address, which identifies the source location of the call.
#ifndef CAMBER_HOST_INTERFACE
#define CAMBER_HOST_INTERFACE

struct CamberHost {
    // Operations: 0 load, 1 store, 2 atomic.
    void (*access)(const volatile void* address, unsigned long size, int operation, void* pc);
    // Accesses to objects that need several instructions.
    void (*range)(const volatile void* address, unsigned long size, int operation, void* pc);
    void (*branch)(void* pc);                // a basic block begins
    void (*enter)(void* caller, void* pc);   // a function that accesses memory begins
    void (*leave)();
    void (*block_barrier)(void* pc);
    // Operations: 0 synchronize, 1 shuffle, 2 ballot.
    unsigned long (*exchange)(int operation, unsigned mask, unsigned long value, int lane,
                              void* pc);
    int (*lane)();
    unsigned (*existing_lanes)();
    const unsigned (*(*thread)())[3];  // threadIdx, blockIdx, blockDim, gridDim
    // Reads a texture element into `value`, which has `size` bytes.
    void (*fetch)(unsigned long long texture, long row, long column, unsigned size, void* value,
                  void* pc);
    void (*trap)(void* pc);
    void (*grid_barrier)(void* pc);
    // An access that is one of several of a function; `index` numbers them.
    void (*piece)(const volatile void* address, unsigned long size, int operation, void* pc,
                  unsigned index);
    // Starts a copy of `size` bytes to shared memory, the last `zeros` of which become 0.
    void (*copy_async)(void* to, const void* from, unsigned long size, unsigned long zeros,
                       void* pc);
    // Operations on the thread's copies: 0 ends a batch, 1 completes all batches but the last
    // `pending`.
    void (*copies)(int operation, unsigned long pending);
    // Operations on a cuda::barrier: 0 initializes it for `value` arrivals; 1 arrives `value`
    // times, announces the bytes of bulk copies and returns the phase; 2 waits for phase `value`,
    // and 3 also orders memory accesses; 4 returns the phase.
    unsigned long (*barrier)(int operation, const void* barrier, unsigned long value,
                             unsigned long bytes, void* pc);
    // Starts a copy of `size` bytes to shared memory that a cuda::barrier counts.
    void (*bulk_copy)(void* to, const void* from, unsigned long size, const void* barrier,
                      void* pc);
};

// Type of a kernel's parameter, or of the target of a pointer.
struct CamberType {
    enum Kind { integer, floating, pointer, other };
    int kind;
    unsigned size;     // bytes
    const char* name;  // "float32", "uint8x4", "float16"; 0 for other types
};
struct CamberParameter {
    struct CamberType type;
    struct CamberType target;  // if the parameter is a pointer
    int is_const;              // whether the target is const
};
struct CamberKernel {
    const void* address;
    const struct CamberParameter* parameters;
    int count;
    void (*call)(void** arguments);  // a pointer to each argument
};
// Memory that the file defines and the program fills: a __constant__ array.
struct CamberConstant {
    void* address;
    struct CamberType element;
    unsigned long count;
};
// Contents of a compiled file, in the order of its `camber:` lines.
struct CamberFile {
    const struct CamberHost** host;
    const struct CamberKernel* kernels;
    const struct CamberConstant* constants;
    // An address in the calling thread's copy of the __shared__ variables.
    void* (*shared_anchor)();
    void* (*dynamic_shared)();  // beginning of arrays without a fixed length
};

#endif
