// Each kernel's own time under the conditions of a case.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/measure/case_result.hpp"
#include "harness/measure/instruments.hpp"

namespace camber {

// Whether a symbol is one of CUB's kernels, which variants call by Queue::minimum and
// Queue::select.
bool is_library_kernel(const std::string& symbol);

class KernelTimer {
  public:
    // Both outlive the timer. The instruments need a kernel clock; one that fails is put away.
    KernelTimer(Queue& queue, Instruments& instruments)
        : queue_(queue), instruments_(instruments) {}

    // Fills kernel_times of a case that has been timed and has its kernels. `seed`: of the
    // statistics' intervals. Apart from the samples, because stamping every kernel costs time
    // between them. Leaves the stamps in the result where correct() would use them.
    void time(Execution& execution, CaseResult& result, std::uint64_t seed);

    // Takes from the kernel times what the clock adds to them, by the counter from which Nsight
    // Compute takes its times. Where that cannot be told they stay as stamped. Apart from all that
    // is timed.
    void correct(Execution& execution, CaseResult& result, std::uint64_t seed);

  private:
    void note_whether_seen(const std::vector<counters::KernelTime>& times);
    bool correctable(const CaseResult& result) const;

    Queue& queue_;
    Instruments& instruments_;
};

}  // namespace camber
