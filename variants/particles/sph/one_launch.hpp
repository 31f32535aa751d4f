// Persistent launch for all iterations until the next list. Its blocks synchronize at a grid
// barrier twice per iteration, and once more in an iteration that begins with a new list.
// Cooperative launches: CUDA C++ Programming Guide, "Grid Synchronization"; Gupta, Stuart and Owens
// 2012, "A Study of Persistent Threads Style GPU Programming for GPGPU Workloads".
#pragma once

#include <algorithm>
#include <vector>

#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/kernel/synchronization.hpp"
#include "variants/particles/sph/execution.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/minimum.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Points at which all threads of a launch synchronize.
enum class Phase {
    ahead,      // predicted particles are stored, before forces are evaluated on them
    moved,      // forces are stored, before corrected particles replace the predicted ones
    corrected,  // corrected particles are stored, and all particles have limited the step
};
struct EveryPhase {
    template <Phase phase>
    CAMBER_DEVICE static void wait(Site site = Site::current()) {
        grid_barrier(site);
    }
};

// Arguments of a launch. Iterations alternate between two words for the longest step: while one is
// in use, the other is reset for the next minimum.
struct Iterations {
    QuadFields state;
    QuadFields other;
    QuadFields::Forces forces;
    InterleavedList list;
    Grid<unsigned> least;
    Grid<float> step;
    Grid<double> time;
    Grid<int> ids;
    Grid<Fault> faults;
    Constants<float> k;

    // Calls f(slot) for the particles of this thread.
    template <class F>
    CAMBER_DEVICE void each_slot(const F& f) const {
        const int threads = static_cast<int>(gridDim.x * blockDim.x);
        for (int slot = own_slot(); slot < ids.columns(); slot += threads) {
            const Turn of_slot;
            f(slot);
        }
    }
};

// If `moved`, the first iteration follows a new list, and its particles are in `other`. Both words
// of `least` contain the longest possible step, before and after the launch.
template <Read read, class Waits>
__global__ void iterations_kernel(const Iterations at, const bool moved, const int first,
                                  const int iterations) {
    const bool leads = own_slot() == 0;
    float dt = at.step(0, 0);
    for (int i = 0; i < iterations; ++i) {
        const bool from_other = moved && i == 0;
        const QuadFields now = from_other ? at.other : at.state;
        const QuadFields ahead = from_other ? at.state : at.other;
        const int word = i % 2;
        for (int half = 0; half < 2; ++half) {
            const QuadFields fields = half == 0 ? now : ahead;
            float limit = longest_step<float>;
            at.each_slot([&](int slot) {
                const auto own = evaluated<read, Sums::plain>(fields, at.list, slot, at.k);
                at.forces.store(slot, own.force);
                limit = own.limit < limit ? own.limit : limit;
            });
            take_least(at.least, word, limit);
            if (half == 0) {
                at.each_slot([&](int slot) {
                    predict(now, at.forces, ahead, slot, at.k, [&] { return dt; });
                });
                Waits::template wait<Phase::ahead>();
                if (leads) at.least(0, 1 - word) = bits_of(longest_step<float>);
            } else {
                if (from_other) Waits::template wait<Phase::moved>();
                at.each_slot([&](int slot) {
                    correct(now, at.forces, dt, at.state, at.ids, at.faults, first + i, slot, at.k);
                });
            }
        }
        Waits::template wait<Phase::corrected>();
        const bool last = i + 1 == iterations;
        if (last && !leads) return;
        const float next = step_of(at.k, value_of(at.least(0, word)));
        if (leads) at.time(0, 0) = at.time(0, 0) + static_cast<double>(dt);
        dt = next;
        if (!last) continue;
        at.step(0, 0) = dt;
        at.least(0, word) = bits_of(longest_step<float>);
    }
}

// Execution of a form with a fused minimum and an interleaved list of QuadFields.
template <class Form, class Waits>
class OneLaunchExecution final : public ParticleExecution<Form> {
  public:
    OneLaunchExecution(Queue& queue, const Problem& problem, int block)
        : ParticleExecution<Form>(queue, problem, block),
          least_(queue, 2, "least"),
          shape_(covering_line(this->count_, this->block_)) {
        shape_.cooperative = true;
        const auto resident = static_cast<unsigned>(resident_blocks(queue, kernel, shape_));
        shape_.grid.x = std::clamp(resident, 1u, shape_.grid.x);
    }

    void upload(const State& initial) override {
        ParticleExecution<Form>::upload(initial);
        least_.upload(this->queue_, std::vector<unsigned>(2, bits_of(longest_step<float>)));
    }
    void advance(int generations) override {
        while (generations > 0) {
            const int period = this->settings_.rebuild;
            const int since_list = this->number_ % period;
            const bool rebuilds = since_list == 0;
            if (rebuilds) this->rebuild();
            const int iterations = std::min(generations, period - since_list);
            const Iterations at{this->state_.fields(),  this->other_.fields(),
                                this->forces_.forces(), this->list_.list(),
                                least_.grid(),          this->step_.grid(),
                                this->time_.grid(),     this->order_.ids().grid(),
                                this->faults_.grid(),   this->constants_};
            launch(this->queue_, "iterations", shape_, kernel, at, rebuilds, this->number_,
                   iterations);
            this->number_ += iterations;
            generations -= iterations;
        }
    }

  private:
    static constexpr auto kernel = iterations_kernel<Form::read, Waits>;

    Row<unsigned> least_;
    LaunchShape shape_;
};

CAMBER_TARGET_END
