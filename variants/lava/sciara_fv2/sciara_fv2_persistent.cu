// SCIARA-fv2 in a single launch for all steps.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/kernel/synchronization.hpp"
#include "variants/lava/sciara_fv2/one_kernel_execution.hpp"

// persistent: one launch computes all steps. As many blocks as fit on the device loop over the
// tiles on one_kernel's lists and meet at a grid barrier after every step, where one_kernel would
// begin the next launch. Cooperative launches: CUDA C++ Programming Guide, "Grid Synchronization";
// Gupta, Stuart and Owens 2012, "A Study of Persistent Threads Style GPU Programming for GPGPU
// Workloads".
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Emission of the vents by time slot; the last row applies to all times after the last slot.
struct EmissionCurve {
    Grid<const double> thickness;  // m; one row per slot, one column per vent of the VentList
    double clock;                  // s
    double slot_length;            // s
    double first_step;             // number of steps before the run

    // Slot of a step; same as Emission::thickness(). Steps of the run count from 1.
    CAMBER_DEVICE int slot(int step) const {
        const double time = (first_step + static_cast<double>(step)) * clock;
        const double slot = ::floor(time / slot_length);
        const int last = thickness.rows() - 1;
        return slot < last ? static_cast<int>(slot) : last;
    }
};

// Vents in one step.
struct VentsOfStep {
    const VentList& list;
    const EmissionCurve& curve;
    int slot;  // of the curve
    double temperature;

    CAMBER_DEVICE int at(int r, int c) const { return list.at(r, c); }
    CAMBER_DEVICE bool any_within(int first_row, int end_row, int first_column,
                                  int end_column) const {
        return list.any_within(first_row, end_row, first_column, end_column);
    }
    CAMBER_DEVICE double given(int /*step*/, int vent) const { return curve.thickness(slot, vent); }
};

// Tile list of a step of this launch, numbered as if each step were a launch of its own; `first` is
// the list of the first step.
CAMBER_DEVICE TileList numbered_list(const TileList& list, const TileList& first, int step) {
    TileList now = list;
    now.launch = first.launch + step;
    now.all = first.all && step == 0;
    return now;
}

// `even` and `odd` are the arguments of steps 0, 2, ... and of steps 1, 3, ... of this launch. Each
// has its own code: a run-time selection would cost every thread registers.
template <int BX, int BY, class Physics>
__global__ void __launch_bounds__(BX* BY, 1)
    persistent_lava_kernel(const LavaStep<Physics> even, const LavaStep<Physics> odd,
                           const VentList vents, const EmissionCurve curve, const int first_step,
                           const int steps) {
    using Block = LavaTile<BX, BY, 1, Physics, VentsOfStep>;
    __shared__ typename Block::Shared shared;
    const auto compute = [&](const LavaStep<Physics>& at, int step) {
        const TileList list = numbered_list(at.list, even.list, step);
        const VentsOfStep given{vents, curve, curve.slot(first_step + step), vents.temperature};
        work_on<Block, BX>(list, at.board, given, shared);
    };
    for (int step = 0; step < steps; step += 2) {
        compute(even, step);
        grid_barrier();
        if (step + 1 == steps) return;
        compute(odd, step + 1);
        grid_barrier();
    }
}

template <class Physics>
class PersistentLavaExecution final : public Execution {
  public:
    using Kernel = void (*)(LavaStep<Physics> even, LavaStep<Physics> odd, VentList, EmissionCurve,
                            int first_step, int steps);

    PersistentLavaExecution(Queue& queue, const Problem& problem, const Shape& shape, Kernel kernel)
        : queue_(queue),
          tiles_(queue, problem, shape),
          shape_(tiles_.launch_shape()),
          kernel_(kernel) {
        shape_.cooperative = true;
        const auto resident = static_cast<unsigned>(resident_blocks(queue, kernel, shape_));
        shape_.grid.x = std::clamp(resident, 1u, shape_.grid.x);
    }

    void upload(const State& initial) override {
        tiles_.upload(initial);
        launches_ = tiles_.template next_steps<Physics>();
        upload_curve();
    }
    void download(State& result) override { tiles_.download(result); }
    void poison(Poison poison) override { tiles_.poison(poison); }
    void advance(int generations) override {
        if (generations == 0) return;
        tiles_.begin_launch(launches_[0].list);
        launch(queue_, "steps", shape_, kernel_, launches_[0], launches_[1], tiles_.vents(), curve_,
               tiles_.number() + 1, generations);
        tiles_.end_launch(generations, generations);
        if (generations % 2 == 0) return;
        std::swap(launches_[0], launches_[1]);
        tiles_.swap_buffers();
    }

  private:
    void upload_curve() {
        const Emission& emission = tiles_.emission();
        const int count = tiles_.vents().count;
        const auto slots = static_cast<int>(emission.rates.slots());
        const int vents = std::max(1, count);  // allocations must not be empty
        std::vector<double> thickness(static_cast<std::size_t>(slots + 1) * vents, 0.0);
        for (int slot = 0; slot < slots; ++slot)
            for (int vent = 0; vent < count; ++vent) {
                const auto& rates = emission.rates.vents.at(tiles_.number_of(vent)).rates;
                if (slot < static_cast<int>(rates.size()))
                    thickness[slot * vents + vent] = rates[slot] / emission.area * emission.clock;
            }
        const std::size_t bytes = sizeof(double) * thickness.size();
        // Recordings contain the address; another upload with the same number of vents keeps it.
        if (bytes > emission_bytes_) {
            emission_memory_ = Memory(queue_, bytes);
            emission_bytes_ = bytes;
        }
        queue_.upload(emission_memory_.get(), bytes, thickness.data(), bytes, {bytes, 1});
        curve_.thickness = {static_cast<const double*>(emission_memory_.get()),
                            Layout::make(vents, slots + 1, 0, unaligned, sizeof(double)),
                            "emission"};
        curve_.clock = emission.clock;
        curve_.slot_length = emission.rates.slot_length;
        curve_.first_step = static_cast<double>(emission.first_step);
    }

    Queue& queue_;
    LavaTiles tiles_;
    LaunchShape shape_;
    Kernel kernel_;
    std::array<LavaStep<Physics>, 2> launches_{};  // next step, and the step after it
    Memory emission_memory_;
    std::size_t emission_bytes_ = 0;  // capacity
    EmissionCurve curve_{};
};

struct PersistentLava {
    static constexpr TechniqueInfo info{
        "persistent", "all steps in one launch, whose blocks stay and wait for each other",
        "Gupta, Stuart and Owens 2012; the tiles are those of one_kernel",
        Family::several_generations};

    template <class Physics, int BX, int BY>
    static void add(Registry& registry) {
        StepPlan plan = OneKernel::plan<Physics, BX, BY>();
        plan.technique = info;
        plan.unsupported = unsupported;
        add_step_variant(registry, "sciara_fv2", ElementType::float64, target_backend, "", plan,
                         [shape = plan.shape](Queue& queue, const Problem& problem) {
                             return std::make_unique<PersistentLavaExecution<Physics>>(
                                 queue, problem, shape, persistent_lava_kernel<BX, BY, Physics>);
                         });
    }

  private:
    // On larger boards, launch overhead is negligible compared with a step.
    static std::optional<std::string> unsupported(const Problem& problem) {
        constexpr std::int64_t most_cells = std::int64_t{4} << 20;
        if (problem.size.cells() > most_cells)
            return "is for boards of at most " + std::to_string(most_cells) + " cells";
        return OneKernel::unsupported(problem);
    }
};

CAMBER_TARGET_END

namespace camber::sciara_fv2 {

// Variants with the reference's arithmetic and with a shorter one. Double precision, compiled
// without contraction of products and sums, like the other kernels of the workload.

namespace {

const Registration sciara_fv2_persistent_variants([](Registry& registry) {
    PersistentLava::add<ShortLava, 8, 8>(registry);
    PersistentLava::add<ShortLava, 16, 16>(registry);
});

}  // namespace
}  // namespace camber::sciara_fv2
