// Loaded latency: additional time of a memory access while other accesses use the memory.
#pragma once

#include <optional>

#include "analysis/memory/bounds.hpp"

namespace camber {

// A share u of the bandwidth in use delays an access by a * u / sqrt(1 - u). That is no theory's
// form: from 0.13 to 0.90 it gives a block's time within 3 % for loads of a word, by few and by
// many blocks on an H100 and an H200; up to 0.98 within 9 % for loads of two. `a` grows with what
// is written among it, and with the pieces of memory of which a block waits for the last.
class LoadedMemory {
  public:
    LoadedMemory() = default;
    // Seconds, of a block that waits for 8 pieces, where all is read and where half is written.
    // `further`: relative, for each standard deviation that the last lies farther out.
    LoadedMemory(double reads, double copies, double further)
        : reads_(reads), copies_(copies), further_(further) {}

    // Additional wait relative to idle memory, `a` above, in seconds.
    double delay(double written_share, double pieces) const;
    static double growth(double use);

  private:
    double reads_ = 0;
    double copies_ = 0;
    double further_ = 0;
};

// From bandwidths of blocks that have 1 or 4 places on an SM: the more there are, the
// longer each takes. `spread`: of DRAM's latency, a standard deviation in seconds. Nothing where
// they were not measured.
std::optional<LoadedMemory> loaded_memory(const Ceilings& ceilings, int sm_count, double spread);

}  // namespace camber
