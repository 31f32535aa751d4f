// Fibres on pooled stacks: functions that can stop in the middle and be resumed, with the stack
// switch for each processor. Each CUDA thread of a running block is a fibre.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace camber::simt {

// Switches between stacks on one CPU thread, the building block of fibres.

// Where a stack was left: valid for one switch to it.
using StackPosition = void*;

// Prepares the `bytes` from `bottom` on as a stack. The first switch to it calls entry(argument),
// which must not return.
StackPosition prepare_stack(void* bottom, std::size_t bytes, void (*entry)(void*), void* argument);

// Stores in `from` where the current stack is left, and continues on the stack `to`. Returns when
// something switches to `*from`.
void switch_stack(StackPosition* from, StackPosition to);

// A fibre on a pooled stack: a function that can stop in the middle and be resumed.

// Memory of one stack, which grows down from its end. The page below is protected.
struct Stack {
    void* bottom = nullptr;
    std::size_t bytes = 0;
};

// Stacks, kept for reuse. Safe to share between CPU threads.
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
};

class Fibre {
  public:
    // `body` starts at the first resume(). It must not let an exception escape other than
    // Cancelled.
    Fibre(StackPool& pool, std::function<void()> body);
    // Cancels a body that has not returned.
    ~Fibre();
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    void resume();  // called from outside: runs the body until it suspends or returns
    // Called by the body: back to whoever resumed it.
    bool rest();     // false on cancellation: the body must return
    void suspend();  // throws Cancelled on cancellation

    struct Cancelled {};

  private:
    static void start(void* fibre);
    void run();
    void enter_fibre();
    void leave_fibre(bool for_good);
    void arrived_in_fibre();

    // AddressSanitizer must be told of every change of stack.
    const void* outside_bottom_ = nullptr;
    std::size_t outside_size_ = 0;
    void* outside_fake_stack_ = nullptr;
    void* inside_fake_stack_ = nullptr;

    StackPool* pool_;
    std::function<void()> body_;
    Stack stack_;
    StackPosition inside_ = nullptr;
    StackPosition outside_ = nullptr;
    bool cancelled_ = false;
    bool finished_ = false;
};

}  // namespace camber::simt
