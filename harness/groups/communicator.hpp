// Communication between the processes (ranks) that compute one board together, over a transport
// that is loaded at run time.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace camber {

// Transport of messages between the processes of a run

// Between any two ranks, messages with the same tag arrive in the order in which they were sent. A
// message has at most 1 GiB. Its memory must not change until done() returns true.
class Transport {
  public:
    virtual ~Transport() = default;

    virtual int rank() const = 0;
    virtual int size() const = 0;
    // Rank among the processes of the same host.
    virtual int local_rank() const = 0;

    // Start a message, and return its number for done().
    virtual int send(int to, int tag, std::span<const std::byte> bytes) = 0;
    virtual int receive(int from, int tag, std::span<std::byte> bytes) = 0;
    // Returns true if the message is complete; its number is then invalid. Does not wait.
    virtual bool done(int number) = 0;

    // Ends all ranks together, once each has called this.
    virtual void finish() = 0;
    // Ends all ranks immediately.
    [[noreturn]] virtual void abort(int exit_code) = 0;
};

// Communication between the processes that compute one board together.
class Communicator {
  public:
    // A rank that waits longer than `patience` seconds for a message throws Error(unavailable) with
    // the number of the rank it waits for; a signal to end makes it throw Stopped.
    Communicator(std::unique_ptr<Transport> transport, double patience)
        : transport_(std::move(transport)), patience_(patience) {}

    int rank() const { return transport_->rank(); }
    int size() const { return transport_->size(); }
    int local_rank() const { return transport_->local_rank(); }

    // A message in transit, to be waited for.
    struct Message {
        int peer = 0;
        std::vector<int> parts;
    };
    // `tag`: from 0 to 9. The memory must not change until the message has been waited for.
    Message send(int to, int tag, std::span<const std::byte> bytes);
    Message receive(int from, int tag, std::span<std::byte> bytes);
    void wait(Message& message);

    // Collective operations: called by all ranks in the same order; all ranks get the same result.
    void broadcast(int root, std::span<std::byte> bytes);
    std::string broadcast(int root, std::string text);
    double largest(double value);
    void barrier() { largest(0); }
    std::vector<std::string> all_of(const std::string& text);

    void finish() { transport_->finish(); }
    [[noreturn]] void abort(int exit_code) {
        transport_->abort(exit_code);
        std::abort();  // unreachable, but some compilers ignore [[noreturn]] on a virtual function
    }

  private:
    std::unique_ptr<Transport> transport_;
    double patience_;
};

// Reason why no messages can be sent; "" if they can.
std::string why_no_ranks();
// Throws Error(unavailable) if no messages can be sent.
std::unique_ptr<Transport> open_transport();

}  // namespace camber
