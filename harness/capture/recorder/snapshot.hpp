// Snapshot of the memory that a kernel launch can reach, before and after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/capture/cuda_driver.hpp"
#include "harness/capture/packed_file.hpp"

namespace camber::capture {

// A launch as the program requested it.
struct RequestedLaunch {
    CuFunction function = nullptr;
    Dimensions grid{};
    Dimensions block{};
    std::uint64_t shared_bytes = 0;
    CuStream stream = nullptr;
    void** arguments = nullptr;
    void** extra = nullptr;
    std::vector<CuLaunchAttribute> attributes;
};

// Parameters of a kernel, in order.
std::vector<Parameter> parameters_of(CuFunction function);

class Snapshot {
  public:
    // Copies the memory before the launch: variables of the kernel's module, allocations that words
    // of the parameters point into, and those that words in copied memory point into. `variables`:
    // names of the module's variables. Nothing is written to disk yet. Throws Error if the memory
    // has more than `most_bytes`, or exceeds the host's memory or the space in `folder`.
    Snapshot(const RequestedLaunch& launch, const std::vector<Parameter>& parameters,
             const std::vector<std::string>& variables, std::uint64_t most_bytes,
             std::filesystem::path folder);

    // Copies the memory after the launch, and writes both. `prefix`: beginning of the file names.
    CapturedLaunch finish(std::uint64_t number, const std::string& prefix);

    const std::vector<std::string>& notes() const { return notes_; }

  private:
    // A stream of our own, in a thread that may use it while others record graphs.
    class OwnStream {
      public:
        OwnStream();
        ~OwnStream();
        OwnStream(const OwnStream&) = delete;
        OwnStream& operator=(const OwnStream&) = delete;
        CuStream get() const { return stream_; }

      private:
        CuStream stream_ = nullptr;
        int mode_ = cu_capture_relaxed;  // of the thread, exchanged for ours
    };

    struct Copy {
        Buffer buffer;
        ByteVector before;
    };

    // The address ranges of this process, in which the driver reserves those of device memory.
    class AddressRanges {
      public:
        AddressRanges();
        bool contain(std::uint64_t address) const;
        bool contain_writable(std::uint64_t address) const;

      private:
        struct Range {
            std::uint64_t end = 0;
            bool is_writable = false;
        };
        const Range* find(std::uint64_t address) const;

        std::map<std::uint64_t, Range> ranges_;  // by beginning
    };

    std::vector<PointerWord> pointers_in(const ByteVector& bytes);
    // Index of the buffer that contains the address, which is added if it is new; -1 if the address
    // is in no allocation.
    std::int64_t buffer_at(std::uint64_t address);
    void note_pageable(const ByteVector& parameters);
    std::int64_t known_buffer_at(std::uint64_t address) const;
    std::int64_t add(Buffer buffer);
    ByteVector copied(const Buffer& buffer) const;
    void require_room() const;

    CapturedLaunch launch_;
    std::vector<Copy> copies_;
    std::map<std::uint64_t, std::size_t> by_address_;  // first byte -> index in copies_
    std::uint64_t total_bytes_ = 0;
    std::uint64_t most_bytes_;
    std::uint64_t queries_left_ = 100000;
    AddressRanges ranges_;
    bool skips_unmapped_ = false;  // words outside of ranges_ are no addresses
    std::filesystem::path folder_;
    OwnStream stream_;
    CuStream launch_stream_;
    std::vector<std::string> notes_;
    bool has_managed_ = false;
};

}  // namespace camber::capture
