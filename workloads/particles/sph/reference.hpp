// CPU reference: plain loops over particles and their neighbors. The bits of the result do not
// depend on the number of threads.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "workloads/core/workload.hpp"
#include "workloads/particles/sph/neighbors.hpp"

namespace camber::sph {

// Computes iterations from `from` to `to`. Neighbors follow from the positions at which their list
// was built, so the state contains all information; the latest list is cached, because several
// iterations share it.
class Reference {
  public:
    // Throws BrokenRun, which names the particle, if a list overflows or the fluid becomes
    // unstable. The iteration number is read from the state's account, so that a resumed run builds
    // lists at the same iterations.
    void step(const State& from, State& to, const GenerationContext& context) const;

  private:
    template <class R>
    void step_of_type(const State& from, State& to, const GenerationContext& context) const;
    template <class R>
    std::shared_ptr<const NeighbourList> list_for(const Positions<R>& listed,
                                                  const Settings& settings,
                                                  const GenerationContext& context) const;

    struct Remembered {
        std::array<std::vector<std::byte>, 3> positions;  // x, y and z of all particles
        double dp = 0;
        double radius = 0;
        Scene scene = Scene::dam_break;
        std::shared_ptr<const NeighbourList> list;
    };
    mutable std::mutex mutex_;
    mutable Remembered remembered_;
};

[[noreturn]] void report_blow_up(std::int64_t particle, std::int64_t iteration, double time);

}  // namespace camber::sph
