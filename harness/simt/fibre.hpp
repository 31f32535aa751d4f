// A fibre on a pooled stack: a function that can stop in the middle and be resumed.
#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace camber::simt {

// Stacks with a guard page below, kept for reuse. Safe to share between CPU threads.
class StackPool {
  public:
    StackPool();
    ~StackPool();
    StackPool(const StackPool&) = delete;
    StackPool& operator=(const StackPool&) = delete;

    boost::context::stack_context take();
    void give_back(const boost::context::stack_context& stack);

  private:
    std::mutex mutex_;
    boost::context::protected_fixedsize_stack allocator_;
    std::vector<boost::context::stack_context> free_;
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
    struct PooledStack;

    boost::context::fiber run(boost::context::fiber&& caller);
    void enter_fibre();
    void leave_fibre(bool for_good);
    void arrived_in_fibre();

    // AddressSanitizer must be told of every change of stack. Before inside_, whose construction
    // sets the first two.
    const void* stack_bottom_ = nullptr;
    std::size_t stack_size_ = 0;
    const void* outside_bottom_ = nullptr;
    std::size_t outside_size_ = 0;
    void* outside_fake_stack_ = nullptr;
    void* inside_fake_stack_ = nullptr;

    std::function<void()> body_;
    boost::context::fiber inside_;
    boost::context::fiber outside_;
    bool cancelled_ = false;
    bool finished_ = false;
};

}  // namespace camber::simt
