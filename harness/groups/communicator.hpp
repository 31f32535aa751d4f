// The processes that compute one board together: what they tell each other.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/groups/transport.hpp"

namespace camber {

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
