#include "harness/groups/communicator.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"

namespace camber {

namespace {

constexpr std::size_t largest_part = std::size_t{1} << 30;
constexpr int collective_tag = 10;

// Calls f(part) for all parts into which a message is split.
template <class Byte, class F>
void for_parts(std::span<Byte> bytes, const F& f) {
    for (std::size_t first = 0; first < bytes.size(); first += largest_part)
        f(bytes.subspan(first, std::min(largest_part, bytes.size() - first)));
}

template <class T>
std::span<std::byte> bytes_of(T& value) {
    return std::as_writable_bytes(std::span(&value, 1));
}

}  // namespace

Communicator::Message Communicator::send(int to, int tag, std::span<const std::byte> bytes) {
    Message message{to, {}};
    for_parts(bytes, [&](std::span<const std::byte> part) {
        message.parts.push_back(transport_->send(to, tag, part));
    });
    return message;
}

Communicator::Message Communicator::receive(int from, int tag, std::span<std::byte> bytes) {
    Message message{from, {}};
    for_parts(bytes, [&](std::span<std::byte> part) {
        message.parts.push_back(transport_->receive(from, tag, part));
    });
    return message;
}

void Communicator::wait(Message& message) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    for (const int part : message.parts)
        while (!transport_->done(part)) {
            if (stop_signal() != 0) throw Stopped();
            const std::chrono::duration<double> waited = Clock::now() - start;
            if (waited.count() > patience_)
                throw Error(ExitCode::unavailable,
                            fmt::format("rank {} has not answered rank {} for {} s: it hangs, or "
                                        "waits for another one that does, or needs more time",
                                        message.peer, rank(), patience_));
            sched_yield();  // there may be fewer cores than ranks
        }
    message.parts.clear();
}

void Communicator::broadcast(int root, std::span<std::byte> bytes) {
    std::vector<Message> messages;
    if (rank() != root)
        messages.push_back(receive(root, collective_tag, bytes));
    else
        for (int other = 0; other < size(); ++other)
            if (other != root) messages.push_back(send(other, collective_tag, bytes));
    for (Message& message : messages) wait(message);
}

std::string Communicator::broadcast(int root, std::string text) {
    std::uint64_t length = text.size();
    broadcast(root, bytes_of(length));
    text.resize(length);
    broadcast(root, std::as_writable_bytes(std::span(text)));
    return text;
}

double Communicator::largest(double value) {
    if (rank() != 0) {
        Message message = send(0, collective_tag, bytes_of(value));
        wait(message);
    } else {
        for (int other = 1; other < size(); ++other) {
            double theirs = 0;
            Message message = receive(other, collective_tag, bytes_of(theirs));
            wait(message);
            value = std::max(value, theirs);
        }
    }
    broadcast(0, bytes_of(value));
    return value;
}

std::vector<std::string> Communicator::all_of(const std::string& text) {
    std::vector<std::string> texts;
    for (int root = 0; root < size(); ++root) texts.push_back(broadcast(root, text));
    return texts;
}

// The MPI library is stored beside the program, or in lib/camber if the program is installed; in a
// build tree, the complete program has a folder of its own below the library's. It is loaded only
// if ranks are used, so that the program needs no MPI to start.

namespace {

namespace fs = std::filesystem;

fs::path library() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {folder, folder.parent_path()})
        if (fs::path beside = place / "camber-mpi.so"; fs::exists(beside)) return beside;
    return folder.parent_path() / "lib/camber/camber-mpi.so";
}

}  // namespace

std::string why_no_ranks() {
    return fs::exists(library()) ? "" : "this camber was built without MPI";
}

std::unique_ptr<Transport> open_transport() {
    if (const std::string why = why_no_ranks(); !why.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("ranks need MPI, and {}: install it (on Debian and Ubuntu: "
                                "libopenmpi-dev and openmpi-bin), and in a clone of camber remove "
                                "the folder build and run ./camber again",
                                why));
    // RTLD_GLOBAL, because Open MPI loads components that look up its symbols.
    void* const loaded = dlopen(library().c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (loaded == nullptr)
        throw Error(
            ExitCode::unavailable,
            fmt::format("MPI cannot be loaded: {}; install the one that camber was built with",
                        dlerror()));
    using Open = Transport* (*)();
    const auto open = reinterpret_cast<Open>(dlsym(loaded, "camber_open_mpi"));
    if (open == nullptr)
        throw Error(ExitCode::unavailable, fmt::format("MPI cannot be used: {}", dlerror()));
    return std::unique_ptr<Transport>(open());
}

}  // namespace camber
