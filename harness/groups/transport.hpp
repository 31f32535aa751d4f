// What carries messages between the processes of a run.
#pragma once

#include <cstddef>
#include <span>

namespace camber {

// Between any two ranks, messages of a tag arrive in the order in which they were sent. A message
// has at most 1 GiB, and its memory stays as it is until done() says so.
class Transport {
  public:
    virtual ~Transport() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    // Among the ranks of the same host.
    virtual int local_rank() const = 0;

    // Begin, and give a number to ask for.
    virtual int send(int to, int tag, std::span<const std::byte> bytes) = 0;
    virtual int receive(int from, int tag, std::span<std::byte> bytes) = 0;
    // Whether it has ended; its number then means nothing any more. Does not wait.
    virtual bool done(int number) = 0;

    // All ranks end together, once each has called this.
    virtual void finish() = 0;
    // Ends all ranks at once.
    [[noreturn]] virtual void abort(int exit_code) = 0;
};

}  // namespace camber
