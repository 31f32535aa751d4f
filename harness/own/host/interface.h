// What a kernel that was compiled for the host calls: by the words of CUDA, and by the
// instrumentation that the C++ compiler put at every load, store and branch. The program fills it in
// before a kernel runs. Compiled with the kernel, too, so it includes nothing.
//
// `pc`: a return address, which says where in the kernel the call stands.
#ifndef CAMBER_HOST_INTERFACE
#define CAMBER_HOST_INTERFACE

struct CamberHost {
    // Operations: 0 load, 1 store, 2 atomic.
    void (*access)(const volatile void* address, unsigned long size, int operation, void* pc);
    // Of objects that take several accesses.
    void (*range)(const volatile void* address, unsigned long size, int operation, void* pc);
    void (*branch)(void* pc);                // a straight piece of code begins
    void (*enter)(void* caller, void* pc);   // a function that touches memory
    void (*leave)();
    void (*block_barrier)(void* pc);
    // Operations: 0 synchronize, 1 shuffle, 2 ballot.
    unsigned long (*exchange)(int operation, unsigned mask, unsigned long value, int lane,
                              void* pc);
    int (*lane)();
    unsigned (*existing_lanes)();
    const unsigned (*(*thread)())[3];  // threadIdx, blockIdx, blockDim, gridDim
    // An element of a texture, which `value` has room for.
    void (*fetch)(unsigned long long texture, long row, long column, unsigned size, void* value,
                  void* pc);
    void (*trap)(void* pc);
    void (*grid_barrier)(void* pc);
};

// A kernel's parameter, or what a pointer points to.
struct CamberType {
    enum Kind { integer, floating, pointer, other };
    int kind;
    unsigned size;  // bytes
};
struct CamberParameter {
    struct CamberType type;
    struct CamberType target;  // of a pointer
    int is_const;              // the target
};
struct CamberKernel {
    const void* address;
    const struct CamberParameter* parameters;
    int count;
    void (*call)(void** arguments);  // a pointer to each
};
// Memory that the file defines and the program fills: a __constant__ array.
struct CamberConstant {
    void* address;
    struct CamberType element;
    unsigned long count;
};
// What the compiled file has, in the order of its `camber:` lines.
struct CamberFile {
    const struct CamberHost** host;
    const struct CamberKernel* kernels;
    const struct CamberConstant* constants;
    // An address in the calling thread's copy of the __shared__ variables.
    void* (*shared_anchor)();
    void* (*dynamic_shared)();  // where those of no stated length begin
};

#endif
