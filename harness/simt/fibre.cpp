#include "harness/simt/fibre.hpp"

#include <memory>
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

// Takes the sanitizer's marks from a stack. The last frames of a fibre never return: what they
// marked would be an error of whatever comes to lie there, the next fibre or a library.
void unmark([[maybe_unused]] const boost::context::stack_context& stack) {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(static_cast<const char*>(stack.sp) - stack.size, stack.size);
#endif
}

}  // namespace

StackPool::StackPool() : allocator_(stack_bytes) {}

StackPool::~StackPool() {
    for (auto& stack : free_) {
        unmark(stack);
        allocator_.deallocate(stack);
    }
}

boost::context::stack_context StackPool::take() {
    const std::lock_guard lock(mutex_);
    boost::context::stack_context stack;
    if (free_.empty()) {
        stack = allocator_.allocate();
    } else {
        stack = free_.back();
        free_.pop_back();
    }
    unmark(stack);
    return stack;
}

void StackPool::give_back(const boost::context::stack_context& stack) {
    const std::lock_guard lock(mutex_);
    free_.push_back(stack);
}

// The stack allocator concept of Boost.Context over the pool.
struct Fibre::PooledStack {
    StackPool* pool;
    Fibre* fibre;

    boost::context::stack_context allocate() {
        const auto stack = pool->take();
        fibre->stack_bottom_ = static_cast<const char*>(stack.sp) - stack.size;
        fibre->stack_size_ = stack.size;
        return stack;
    }
    void deallocate(boost::context::stack_context& stack) { pool->give_back(stack); }
};

Fibre::Fibre(StackPool& pool, std::function<void()> body)
    : body_(std::move(body)),
      inside_(std::allocator_arg, PooledStack{&pool, this},
              [this](boost::context::fiber&& caller) { return run(std::move(caller)); }) {}

Fibre::~Fibre() {
    cancelled_ = true;
    if (!finished_) resume();
}

boost::context::fiber Fibre::run(boost::context::fiber&& caller) {
    outside_ = std::move(caller);
    arrived_in_fibre();
    if (!cancelled_) {
        try {
            body_();
        } catch (const Cancelled&) {
        }
    }
    finished_ = true;
    leave_fibre(true);
    return std::move(outside_);
}

void Fibre::resume() {
    enter_fibre();
    inside_ = std::move(inside_).resume();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(outside_fake_stack_, nullptr, nullptr);
#endif
}

bool Fibre::rest() {
    leave_fibre(false);
    outside_ = std::move(outside_).resume();
    arrived_in_fibre();
    return !cancelled_;
}

void Fibre::suspend() {
    if (!rest()) throw Cancelled{};
}

void Fibre::enter_fibre() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&outside_fake_stack_, stack_bottom_, stack_size_);
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
