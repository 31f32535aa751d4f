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

// What carries messages between the processes of a run.

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

// The processes that compute one board together: what they tell each other.
class Communicator {
  public:
    // Whoever waits longer than `patience` seconds for a message throws Error(unavailable) that
    // names the rank; a signal to end makes it throw Stopped.
    Communicator(std::unique_ptr<Transport> transport, double patience)
        : transport_(std::move(transport)), patience_(patience) {}

    int rank() const { return transport_->rank(); }
    int size() const { return transport_->size(); }
    int local_rank() const { return transport_->local_rank(); }

    // A message under way, to be waited for.
    struct Message {
        int peer = 0;
        std::vector<int> parts;
    };
    // `tag`: from 0 to 9. The memory stays as it is until the message has been waited for.
    Message send(int to, int tag, std::span<const std::byte> bytes);
    Message receive(int from, int tag, std::span<std::byte> bytes);
    void wait(Message& message);

    // What follows is called by all ranks, in the same order, and gives the same to all.
    void broadcast(int root, std::span<std::byte> bytes);
    std::string broadcast(int root, std::string text);
    double largest(double value);
    void barrier() { largest(0); }
    std::vector<std::string> all_of(const std::string& text);

    void finish() { transport_->finish(); }
    [[noreturn]] void abort(int exit_code) {
        transport_->abort(exit_code);
        std::abort();  // never reached, but not every compiler believes a virtual function
    }

  private:
    std::unique_ptr<Transport> transport_;
    double patience_;
};

// Why no messages can be sent; "" where they can.
std::string why_no_ranks();
// Throws Error(unavailable) where none can be sent.
std::unique_ptr<Transport> open_transport();

}  // namespace camber
