// MAGFLOW in a single launch for all steps. Compiled without contraction of products and sums, like
// the other kernels of the workload.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/kernel/synchronization.hpp"
#include "variants/lava/magflow/update.hpp"
#include "variants/lava/magflow/vent_lookup.hpp"

// persistent: one launch computes all steps. As many blocks as fit on the device loop over the
// board. A step has two grid barriers, one for the minimum over all cells and one after its Update.
// There is no Erupt: the flux looks up the emission of a vent, as in vent_table. Cooperative
// launches: CUDA C++ Programming Guide, "Grid Synchronization"; Gupta, Stuart and Owens 2012, "A
// Study of Persistent Threads Style GPU Programming for GPGPU Workloads".
CAMBER_WORKLOAD_BEGIN(magflow)

// Arguments of a launch. Two words alternate for the step length: while one is in use, the other is
// reset for the next minimum.
template <class Rule>
struct MagflowSteps {
    using R = typename FluxTraits<Rule>::Real;

    Views<Rule> flux;
    TableOfRates<R> rates;
    UpdateViews<R> update;
    Grid<Word<R>> dt[2];
    Grid<const Word<R>> read_dt[2];

    // Computes the flux of a cell; returns the longest step that the cell allows.
    CAMBER_DEVICE R flow(int row, int column) const {
        int vent = 0;
        const auto read = [&]<class Tag>(Tag tag, int dcol, int drow,
                                         Site site) -> typename Tag::Type {
            if constexpr (std::is_same_v<Tag, magflow::Emission<R>>) {
                return rates(vent, site);
            } else {
                const typename Tag::Type value = flux.input(tag)(row + drow, column + dcol, site);
                if constexpr (std::is_same_v<Tag, magflow::Vents>) vent = value;
                return value;
            }
        };
        const Values<R, R, R> result = apply(flux, read);
        store(flux, row, column, result);
        return get<2>(result);
    }
};

// Calls f(row, column) for the cells of this thread, block by block of the board.
template <class F>
CAMBER_DEVICE void each_cell_in_turn(int rows, int columns, const F& f) {
    const int across = (columns + blockDim.x - 1) / blockDim.x;
    const int tiles = across * ((rows + blockDim.y - 1) / blockDim.y);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int row = tile / across * blockDim.y + threadIdx.y;
        const int column = tile % across * blockDim.x + threadIdx.x;
        if (row < rows && column < columns) f(row, column);
    }
}

// `first` selects the word with the length of the first step.
template <class Rule>
__global__ void magflow_persistent_kernel(const MagflowSteps<Rule> at, const int first,
                                          const int steps) {
    using W = Word<typename FluxTraits<Rule>::Real>;
    const W longest = word_of(at.flux.parameters.longest_step);
    const bool is_first = threadIdx.x == 0 && threadIdx.y == 0;
    for (int step = 0; step < steps; ++step) {
        const bool second = (first + step) % 2 != 0;
        W least = longest;
        each_cell_in_turn(at.flux.rows, at.flux.columns, [&](int row, int column) {
            const W limit = word_of(at.flow(row, column));
            least = limit < least ? limit : least;
        });
        least = magflow_block_least(least);
        if (is_first && least < longest) {
            const Grid<W> dt = second ? at.dt[1] : at.dt[0];
            atomicMin(&dt(0, 0), least);
        }
        grid_barrier();
        const auto length =
            step_length<typename FluxTraits<Rule>::Real>(second ? at.read_dt[1] : at.read_dt[0]);
        if (blockIdx.x == 0 && is_first) {
            advance_time(at.update.time, length);
            const Grid<W> next_dt = second ? at.dt[0] : at.dt[1];
            next_dt(0, 0) = longest;
        }
        each_cell_in_turn(at.flux.rows, at.flux.columns, [&](int row, int column) {
            update_cell(at.update, length, row, column);
        });
        grid_barrier();
    }
}

// Launches of one rule on the fields of a store.
template <class Rule>
class MagflowPersistentStage final : public RuleStage<Rule> {
    using R = typename FluxTraits<Rule>::Real;

  public:
    MagflowPersistentStage(const StageContext& context, Region block)
        : RuleStage<Rule>(context),
          context_(context),
          clock_(context.store),
          rates_(context.queue, context.problem.parameters),
          lengths_(context.queue, 2 * sizeof(R)),
          shape_(covering(context.problem.size, block)) {
        const unsigned blocks = shape_.grid.x * shape_.grid.y;
        shape_.grid = {};
        shape_.cooperative = true;
        const auto resident = static_cast<unsigned>(
            resident_blocks(context.queue, magflow_persistent_kernel<Rule>, shape_));
        shape_.grid.x = std::clamp(resident, 1u, blocks);
    }

    void uploaded() override {
        RuleStage<Rule>::uploaded();
        MagflowSteps<Rule> steps{
            this->views(0),
            {rates_.table(), rates_.effusion().shape, clock_.template time<const double>()},
            update_views(context_, clock_),
            {},
            {}};
        const Layout one = Layout::make(1, 1, 0, sizeof(R), sizeof(R));
        auto* const lengths = static_cast<Word<R>*>(lengths_.get());
        for (int i = 0; i < 2; ++i) {
            steps.dt[i] = {lengths + i, one, "dt"};
            steps.read_dt[i] = {lengths + i, one, "dt"};
        }
        steps_ = steps;
        const Word<R> longest = magflow::bits_of(steps.flux.parameters.longest_step);
        context_.queue.fill(lengths, 2, std::as_bytes(std::span(&longest, 1)));
        first_ = 0;
    }
    // Enqueues one step.
    void enqueue(int) override { advance(1); }
    void advance(int steps) {
        launch(this->queue(), "steps", shape_, magflow_persistent_kernel<Rule>, steps_, first_,
               steps);
        first_ = (first_ + steps) % 2;
    }

  private:
    StageContext context_;
    Clock<R> clock_;
    MagflowRates rates_;
    Memory lengths_;
    LaunchShape shape_;
    MagflowSteps<Rule> steps_{};
    int first_ = 0;
};

template <class Rule>
class MagflowPersistentExecution final : public Execution {
  public:
    MagflowPersistentExecution(Queue& queue, const Problem& problem, const StepPlan& plan)
        : problem_(problem),
          store_(fields(queue, problem.size, plan)),
          stage_({queue, problem_, store_, no_constants_}, plan.shape.block) {}

    void upload(const State& initial) override {
        store_.upload(initial);
        stage_.uploaded();
    }
    void download(State& result) override { store_.download(result); }
    // Poisons only data passed between the halves of a step, because Update works in place.
    void poison(Poison poison) override {
        store_.poison_next(std::array<std::string, 2>{"volume_flux", "heat_flux"}, poison);
    }
    void advance(int generations) override {
        if (generations > 0) stage_.advance(generations);
    }

  private:
    static FieldStore fields(Queue& queue, Size size, const StepPlan& plan) {
        FieldStore store(queue);
        for (const FieldUse& use : plan.fields) {
            if (store.has(use.name)) continue;
            const int bytes = info(use.element).size;
            store.add(
                use.name, use.element,
                Layout::make(size.columns, size.rows, plan.shape.halo, plan.shape.alignment, bytes),
                std::span(use.outside).first(static_cast<std::size_t>(bytes)), Buffers::one);
        }
        return store;
    }

    Problem problem_;
    FieldStore store_;
    ConstantOffsets no_constants_;
    MagflowPersistentStage<Rule> stage_;
};

struct MagflowPersistent {
    static constexpr TechniqueInfo info{
        "persistent", "all steps in one launch, whose blocks stay and wait for each other",
        "Gupta, Stuart and Owens 2012; the kernels are those of vent_table and fused_minimum",
        Family::several_generations};

    template <class R>
    static void add(Registry& registry) {
        using Compensated = magflow::Flux<R, true, false>;
        using Plain = magflow::Flux<R, false, false>;
        for (const Region block : {Region{64, 4}, Region{16, 16}}) {
            StepPlan plan = Catalogue<Compensated>::plan_of(
                info, {.block = block, .halo = 1, .alignment = 128});
            plan.step = "";
            for (FieldUse& use : plan.fields)
                if (use.name == std::string_view("emission")) use.read = false;
            for (const FieldUse& use : update_plan<R>(plan).fields) plan.fields.push_back(use);
            plan.unsupported = unsupported;
            add_step_variant(
                registry, "magflow", element_of<R>(), target_backend, "", plan,
                [plan](Queue& queue, const Problem& problem) -> std::unique_ptr<Execution> {
                    if (magflow::compensated(problem.parameters))
                        return std::make_unique<MagflowPersistentExecution<Compensated>>(
                            queue, problem, plan);
                    return std::make_unique<MagflowPersistentExecution<Plain>>(queue, problem,
                                                                               plan);
                });
        }
    }

  private:
    // On larger boards, launch overhead is negligible compared with a step.
    static std::optional<std::string> unsupported(const Problem& problem) {
        constexpr std::int64_t most_cells = std::int64_t{4} << 20;
        if (problem.size.cells() <= most_cells) return std::nullopt;
        return "is for boards of at most " + std::to_string(most_cells) + " cells";
    }
};

CAMBER_TARGET_END

namespace camber::magflow {

namespace {

const Registration magflow_persistent_variants([](Registry& registry) {
    MagflowPersistent::add<float>(registry);
    MagflowPersistent::add<double>(registry);
});

}  // namespace
}  // namespace camber::magflow
