// The bytes of a field on the host.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace camber {

// Zeros at first. Pages are touched by whoever writes them first, so that a board of gigabytes is
// made by all the threads that fill it; copies of such boards are made by all threads, too.
class CellMemory {
  public:
    explicit CellMemory(std::size_t bytes);  // throws std::bad_alloc
    CellMemory(const CellMemory& other);
    CellMemory(CellMemory&& other) noexcept = default;
    CellMemory& operator=(const CellMemory& other);
    CellMemory& operator=(CellMemory&& other) noexcept = default;

    std::byte* data() { return memory_.get(); }
    const std::byte* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte[], Free> memory_;
    std::size_t size_ = 0;
};

}  // namespace camber
