// Memory for the kernels of `camber ceilings`, with timing and verification of their
// work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/machine/cuda/ceiling_kernels.hpp"
#include "harness/machine/cuda/stream.hpp"
#include "harness/machine/queue/devices.hpp"

namespace camber::cuda {

constexpr std::size_t smallest_set = std::size_t{256} << 10;

class CeilingArena {
  public:
    // `queue` must belong to the cuda backend and run on `device`.
    CeilingArena(Queue& queue, const DeviceInfo& device, int samples_per_figure);

    std::size_t bytes() const { return size_; }  // 2^n
    void* get() const { return memory_.get(); }
    const CeilingTarget& target() const { return target_; }

    // Fills the memory with noise_word().
    void fill();
    double traffic(Traffic kind, std::size_t bytes, unsigned passes);

    // Enqueues work with `repeats` repeats and returns its amount.
    using Work = std::function<double(unsigned repeats)>;
    double time(const std::function<void()>& work);  // seconds
    // Work per second: the median over samples, after a suitable number of repeats has been found.
    double rate(const Work& work);
    // Bandwidth of the runtime's copy from one half of `bytes` to the other; counts bytes read and
    // written.
    double copy_rate(std::size_t bytes);

    // Throws Error(wrong_result) if a kernel copies or computes incorrectly.
    void verify();

  private:
    double seconds_of(const Work& work, unsigned repeats, double& amount);
    std::vector<std::uint32_t> words_of(const void* memory, std::size_t bytes);
    void verify_copy(std::size_t bytes);
    void verify_triad(std::size_t bytes);
    void verify_read(std::size_t bytes);
    void verify_descents(std::size_t bytes);
    void verify_pieces(std::size_t bytes);

    Queue& queue_;
    int samples_per_figure_;
    std::size_t size_;
    std::size_t sink_bytes_;
    Memory memory_;
    Memory sink_;
    CeilingTarget target_;
};

}  // namespace camber::cuda
