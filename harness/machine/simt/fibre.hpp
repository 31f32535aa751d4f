// Fibers on pooled stacks: functions that can be suspended and resumed, with the stack switch for
// each processor. Each CUDA thread of a running block is a fiber.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace camber::simt {

// Switches between stacks on one CPU thread, the building block of fibers.

// Saved position of a stack: valid for one switch to it.
using StackPosition = void*;

// Prepares the `bytes` from `bottom` on as a stack. The first switch to it calls entry(argument),
// which must not return.
StackPosition prepare_stack(void* bottom, std::size_t bytes, void (*entry)(void*), void* argument);

// Stores the position of the current stack in `from`, and continues on the stack `to`. Returns when
// something switches to `*from`.
void switch_stack(StackPosition* from, StackPosition to);

// A fiber on a pooled stack: a function that can be suspended and resumed

// Memory of one stack, which grows down from its end. The page below is protected.
struct Stack {
    void* bottom = nullptr;
    std::size_t bytes = 0;
};

// Pool of stacks for reuse. Thread-safe.
class StackPool {
  public:
    StackPool() = default;
    ~StackPool();
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    Stack take();  // throws std::bad_alloc
    void give_back(const Stack& stack);

  private:
    std::mutex mutex_;
    std::vector<Stack> free_;
    std::size_t allocated_ = 0;
};

class Fibre {
  public:
    // `body` starts at the first resume(). The only exception that may leave it is Cancelled.
    Fibre(StackPool& pool, std::function<void()> body);
    // Cancels a body that has not returned.
    ~Fibre();
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    void resume();  // called from outside: runs the body until it suspends or returns
    // Called from outside: ends a body that is suspended where no destructor waits, without
    // resuming it.
    void abandon();
    // Both are called by the body. They return when the fiber continues, false on cancellation: the
    // body must then return, or throw Cancelled.
    bool rest();                // continues the caller of resume()
    bool pass_to(Fibre& next);  // continues `next`, whose rest() leads to the caller of resume()

    struct Cancelled {};

  private:
    static void start(void* fibre);
    void run();
    void enter_fibre();
    void leave_fibre(bool for_good);
    void arrived_in_fibre();

    StackPosition inside_ = nullptr;
    StackPosition outside_ = nullptr;
    bool cancelled_ = false;
    bool finished_ = false;
    bool is_passed_to_ = false;  // by pass_to(), until the fiber continues
    StackPool* pool_;
    std::function<void()> body_;
    Stack stack_;

    // State for AddressSanitizer, which must be notified of every stack switch.
    const void* outside_bottom_ = nullptr;
    std::size_t outside_size_ = 0;
    void* outside_fake_stack_ = nullptr;
    void* inside_fake_stack_ = nullptr;
};

}  // namespace camber::simt
