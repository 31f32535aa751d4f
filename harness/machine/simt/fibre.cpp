#include "harness/machine/simt/fibre.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
    #include <sanitizer/asan_interface.h>
    #include <sanitizer/common_interface_defs.h>
#endif

namespace camber::simt {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = 256 * 1024;  // red zones make frames larger
#else
constexpr std::size_t stack_bytes = 64 * 1024;
#endif

std::size_t page_bytes() {
    static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

// Takes the sanitizer's marks from a stack. The last frames of a fibre never return: what they
// marked would be an error of whatever comes to lie there, the next fibre or a library.
void unmark([[maybe_unused]] const Stack& stack) {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(stack.bottom, stack.bytes);
#endif
}

Stack allocate() {
    const std::size_t page = page_bytes();
    const std::size_t bytes = (stack_bytes + page - 1) / page * page;
    void* const memory = mmap(nullptr, page + bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, page, PROT_NONE);
    return {static_cast<char*>(memory) + page, bytes};
}

}  // namespace

StackPool::~StackPool() {
    for (const Stack& stack : free_) {
        unmark(stack);
        munmap(static_cast<char*>(stack.bottom) - page_bytes(), page_bytes() + stack.bytes);
    }
}

Stack StackPool::take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return allocate();
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
    std::terminate();  // a finished fibre is not resumed
}

void Fibre::resume() {
    enter_fibre();
    switch_stack(&outside_, inside_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(outside_fake_stack_, nullptr, nullptr);
#endif
    if (finished_) pool_->give_back(stack_);
}

bool Fibre::rest() {
    leave_fibre(false);
    switch_stack(&inside_, outside_);
    arrived_in_fibre();
    return !cancelled_;
}

void Fibre::suspend() {
    if (!rest()) throw Cancelled{};
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
    __sanitizer_finish_switch_fiber(inside_fake_stack_, &outside_bottom_, &outside_size_);
#endif
}

}  // namespace camber::simt
