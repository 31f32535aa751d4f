#include "harness/machine/simt/fibre.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

// On x86-64 and AArch64, saves only the registers that a function must preserve. Other processors
// use the C library's switch, which makes system calls for the signal mask.
#if defined(__x86_64__) && !defined(CAMBER_STACKS_OF_C_LIBRARY)
    #define CAMBER_STACKS_X86_64
#elif defined(__aarch64__) && !defined(CAMBER_STACKS_OF_C_LIBRARY)
    #define CAMBER_STACKS_AARCH64
#else
    #include <ucontext.h>
#endif

namespace camber::simt {

namespace {

// End of the stack, aligned as both ABIs require.
[[maybe_unused]] char* top_of(void* bottom, std::size_t bytes) {
    const auto end = reinterpret_cast<std::uintptr_t>(bottom) + bytes;
    return reinterpret_cast<char*>(end & ~std::uintptr_t{15});
}

}  // namespace

#if defined(CAMBER_STACKS_X86_64)

// System V ABI, AMD64 supplement, section 3.2: rbx, rbp and r12 to r15 are preserved. Fibers share
// the control words of the floating-point units, which no kernel changes and which are slow to
// load. camber_stack_entry calls r13 with r12; unwinding ends there.
asm(R"(
.pushsection .text
.hidden camber_switch_stack
.globl camber_switch_stack
.type camber_switch_stack, @function
.balign 16
camber_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size camber_switch_stack, . - camber_switch_stack
.hidden camber_stack_entry
.globl camber_stack_entry
.type camber_stack_entry, @function
.balign 16
camber_stack_entry:
    .cfi_startproc
    .cfi_undefined rip
    movq %r12, %rdi
    callq *%r13
    ud2
    .cfi_endproc
.size camber_stack_entry, . - camber_stack_entry
.popsection
)");

extern "C" void camber_switch_stack(void** from, void* to);
extern "C" void camber_stack_entry();

StackPosition prepare_stack(void* bottom, std::size_t bytes, void (*entry)(void*), void* argument) {
    struct Saved {
        void *r15, *r14, *r13, *r12, *rbx, *rbp, *return_address;
    };
    Saved saved{};
    saved.r13 = reinterpret_cast<void*>(entry);
    saved.r12 = argument;
    saved.return_address = reinterpret_cast<void*>(&camber_stack_entry);
    return std::memcpy(top_of(bottom, bytes) - sizeof saved, &saved, sizeof saved);
}

void switch_stack(StackPosition* from, StackPosition to) {
    camber_switch_stack(from, to);
}

#elif defined(CAMBER_STACKS_AARCH64)

// Procedure Call Standard for the Arm 64-bit Architecture, section 6.1: x19 to x30 and d8 to d15
// are preserved. camber_stack_entry calls x20 with x19; unwinding ends there.
asm(R"(
.pushsection .text
.hidden camber_switch_stack
.globl camber_switch_stack
.type camber_switch_stack, %function
.balign 16
camber_switch_stack:
    sub sp, sp, #160
    stp d8, d9, [sp, #0]
    stp d10, d11, [sp, #16]
    stp d12, d13, [sp, #32]
    stp d14, d15, [sp, #48]
    stp x19, x20, [sp, #64]
    stp x21, x22, [sp, #80]
    stp x23, x24, [sp, #96]
    stp x25, x26, [sp, #112]
    stp x27, x28, [sp, #128]
    stp x29, x30, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp d8, d9, [sp, #0]
    ldp d10, d11, [sp, #16]
    ldp d12, d13, [sp, #32]
    ldp d14, d15, [sp, #48]
    ldp x19, x20, [sp, #64]
    ldp x21, x22, [sp, #80]
    ldp x23, x24, [sp, #96]
    ldp x25, x26, [sp, #112]
    ldp x27, x28, [sp, #128]
    ldp x29, x30, [sp, #144]
    add sp, sp, #160
    ret
.size camber_switch_stack, . - camber_switch_stack
.hidden camber_stack_entry
.globl camber_stack_entry
.type camber_stack_entry, %function
.balign 16
camber_stack_entry:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    blr x20
    brk #0
    .cfi_endproc
.size camber_stack_entry, . - camber_stack_entry
.popsection
)");

extern "C" void camber_switch_stack(void** from, void* to);
extern "C" void camber_stack_entry();

StackPosition prepare_stack(void* bottom, std::size_t bytes, void (*entry)(void*), void* argument) {
    struct Saved {
        double d[8];
        void *x19, *x20, *x21_to_x29[9], *x30;
    };
    static_assert(sizeof(Saved) == 160);
    Saved saved{};
    saved.x19 = argument;
    saved.x20 = reinterpret_cast<void*>(entry);
    saved.x30 = reinterpret_cast<void*>(&camber_stack_entry);
    return std::memcpy(top_of(bottom, bytes) - sizeof saved, &saved, sizeof saved);
}

void switch_stack(StackPosition* from, StackPosition to) {
    camber_switch_stack(from, to);
}

#else

namespace {

// makecontext() passes only integers.
void call(unsigned entry_high, unsigned entry_low, unsigned argument_high, unsigned argument_low) {
    const auto joined = [](unsigned high, unsigned low) {
        return static_cast<std::uintptr_t>(std::uint64_t{high} << 32 | low);
    };
    const auto entry = reinterpret_cast<void (*)(void*)>(joined(entry_high, entry_low));
    entry(reinterpret_cast<void*>(joined(argument_high, argument_low)));
}

}  // namespace

// The context is stored in the stack itself: initially at its end, later in the frame of
// switch_stack().
StackPosition prepare_stack(void* bottom, std::size_t bytes, void (*entry)(void*), void* argument) {
    char* const place = top_of(bottom, bytes - sizeof(ucontext_t));
    auto* const context = reinterpret_cast<ucontext_t*>(place);
    getcontext(context);
    context->uc_stack.ss_sp = bottom;
    context->uc_stack.ss_size = static_cast<std::size_t>(place - static_cast<char*>(bottom));
    context->uc_link = nullptr;
    const std::uint64_t code = reinterpret_cast<std::uintptr_t>(entry);
    const std::uint64_t data = reinterpret_cast<std::uintptr_t>(argument);
    makecontext(context, reinterpret_cast<void (*)()>(call), 4, static_cast<unsigned>(code >> 32),
                static_cast<unsigned>(code), static_cast<unsigned>(data >> 32),
                static_cast<unsigned>(data));
    return context;
}

void switch_stack(StackPosition* from, StackPosition to) {
    ucontext_t here;
    *from = &here;
    swapcontext(&here, static_cast<ucontext_t*>(to));
}

#endif

}  // namespace camber::simt

#if defined(__SANITIZE_ADDRESS__)
    #include <sanitizer/asan_interface.h>
    #include <sanitizer/common_interface_defs.h>
#endif

namespace camber::simt {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = 256 * 1024;  // large because sanitizer red zones enlarge frames
#else
constexpr std::size_t stack_bytes = 64 * 1024;
#endif

// Stacks begin at different offsets in their pages, so that the top frames of a warp's fibers occupy
// different cache sets: all lanes that wait in a shuffle stay in the L1 cache.
constexpr std::size_t offset_step = 128;
constexpr std::size_t offset_count = 32;

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

// Bytes of one stack's mapping without the protected page.
std::size_t mapped_bytes() {
    const std::size_t page = page_bytes();
    return (stack_bytes + offset_step * offset_count + page - 1) / page * page;
}

// Removes the sanitizer's marks from a stack. The last frames of a fiber never return, so that
// their marks would report errors in the next user of the memory, a fiber or a library.
void unmark([[maybe_unused]] const Stack& stack) {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.bytes);
#endif
}

// Allocates stack number `number` of a pool.
Stack allocate(std::size_t number) {
    const std::size_t page = page_bytes();
    void* const memory = mmap(nullptr, page + mapped_bytes(), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, page, PROT_NONE);
    return {static_cast<char*>(memory) + page,
            mapped_bytes() - number % offset_count * offset_step};
}

}  // namespace

StackPool::~StackPool() {
    for (const Stack& stack : free_) {
        unmark(stack);
        munmap(static_cast<char*>(stack.bottom) - page_bytes(), page_bytes() + mapped_bytes());
    }
}

Stack StackPool::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return allocate(allocated_++);
    const Stack stack = free_.back();
    free_.pop_back();
    unmark(stack);
    return stack;
}

void StackPool::give_back(const Stack& stack) {
    const std::lock_guard lock(mutex_);
    free_.push_back(stack);
}

Fibre::Fibre(StackPool& pool, std::function<void()> body)
    : pool_(&pool), body_(std::move(body)), stack_(pool.take()) {
    inside_ = prepare_stack(stack_.bottom, stack_.bytes, &start, this);
}

Fibre::~Fibre() {
    cancelled_ = true;
    if (!finished_) resume();
}

void Fibre::start(void* fibre) {
    static_cast<Fibre*>(fibre)->run();
}

void Fibre::run() {
    arrived_in_fibre();
    if (!cancelled_) {
        try {
            body_();
        } catch (const Cancelled&) {
        }
    }
    finished_ = true;
    leave_fibre(true);
    switch_stack(&inside_, outside_);
    std::terminate();  // a finished fiber is not resumed
}

void Fibre::resume() {
    enter_fibre();
    switch_stack(&outside_, inside_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(outside_fake_stack_, nullptr, nullptr);
#endif
    if (finished_) pool_->give_back(stack_);
}

void Fibre::abandon() {
#if !defined(__SANITIZE_ADDRESS__)  // which must see the body return
    finished_ = true;
    pool_->give_back(stack_);
#endif
}

bool Fibre::rest() {
    leave_fibre(false);
    switch_stack(&inside_, outside_);
    arrived_in_fibre();
    return !cancelled_;
}

bool Fibre::pass_to(Fibre& next) {
    next.outside_ = outside_;
    next.is_passed_to_ = true;
#if defined(__SANITIZE_ADDRESS__)
    next.outside_bottom_ = outside_bottom_;
    next.outside_size_ = outside_size_;
    __sanitizer_start_switch_fiber(&inside_fake_stack_, next.stack_.bottom, next.stack_.bytes);
#endif
    switch_stack(&inside_, next.inside_);
    arrived_in_fibre();
    return !cancelled_;
}

void Fibre::enter_fibre() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&outside_fake_stack_, stack_.bottom, stack_.bytes);
#endif
}

void Fibre::leave_fibre([[maybe_unused]] bool for_good) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(for_good ? nullptr : &inside_fake_stack_, outside_bottom_,
                                   outside_size_);
#endif
}

void Fibre::arrived_in_fibre() {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(inside_fake_stack_, &bottom, &size);
    if (!is_passed_to_) {
        outside_bottom_ = bottom;
        outside_size_ = size;
    }
#endif
    is_passed_to_ = false;
}

}  // namespace camber::simt
