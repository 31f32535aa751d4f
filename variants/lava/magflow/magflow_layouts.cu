// MAGFLOW with its fields in records, and with fields stored by columns. Single precision, as
// published.
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "variants/lava/magflow/records.hpp"
#include "variants/lava/magflow/update.hpp"
#include "variants/stencil/views.hpp"

// The four kernels of MAGFLOW on records (records.hpp), in single precision.
CAMBER_WORKLOAD_BEGIN(magflow)

template <class L>
__global__ void record_erupt_kernel(const RecordViews<L> views, const Grid<const double> rates,
                                    const magflow::CurveShape shape, const Grid<const double> time,
                                    const Grid<Word<float>> dt, const float longest_step) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    if (row == 0 && column == 0) dt(0, 0) = magflow::bits_of(longest_step);
    const int vent = views.vent(row, column);
    if (vent == 0) return;
    const double now = time(0, 0);
    CellWords cell;
    cell[Quantity::emission] = emission_at<float>(vent, now, rates, shape);
    views.template store<Quantity::emission>(cell, row, column);
}

template <class Rule, class L>
CAMBER_DEVICE void record_flux(const RecordViews<L>& views,
                               const typename Rule::Parameters& parameters) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    float emission = 0;
    if (views.vent(row, column) != 0) {
        CellWords cell;
        views.template load<Quantity::emission>(cell, row, column);
        emission = cell[Quantity::emission];
    }
    const auto lava = [&](int dcol, int drow, Site site) {
        return views.lava(row + drow, column + dcol, site);
    };
    const Values<float, float, float> result =
        Rule::gathered(CellReader(lava), emission, parameters);
    CellWords flux;
    flux[Quantity::volume_flux] = get<0>(result);
    flux[Quantity::heat_flux] = get<1>(result);
    flux[Quantity::step_limit] = get<2>(result);
    views.template store<Quantity::volume_flux, Quantity::heat_flux, Quantity::step_limit>(
        flux, row, column);
}

template <class Rule, class L>
__global__ void record_flux_kernel(const RecordViews<L> views,
                                   const typename Rule::Parameters parameters) {
    record_flux<Rule>(views, parameters);
}

// Limits a thread to 32 registers: 8 blocks of 256 threads share 65536.
template <class Rule, class L>
__global__ void __launch_bounds__(256, 8)
    capped_record_flux_kernel(const RecordViews<L> views,
                              const typename Rule::Parameters parameters) {
    record_flux<Rule>(views, parameters);
}

template <class L>
__global__ void record_minimum_kernel(const RecordViews<L> views, const Grid<Word<float>> dt,
                                      const float longest_step) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const Word<float> longest = word_of(longest_step);
    Word<float> least = longest;
    if (row < views.rows && column < views.columns) {
        CellWords cell;
        views.template load<Quantity::step_limit>(cell, row, column);
        least = word_of(cell[Quantity::step_limit]);
    }
    lower_to_least(least, dt, longest);
}

template <class L>
__global__ void record_update_kernel(const RecordViews<L> views, const Grid<const Word<float>> dt,
                                     const Grid<double> time,
                                     const magflow::UpdateParameters<float> parameters) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    const float length = step_length<float>(dt);
    if (row == 0 && column == 0) advance_time(time, length);
    CellWords cell;
    views.template load<Quantity::thickness, Quantity::solidified, Quantity::heat,
                        Quantity::temperature, Quantity::volume_flux, Quantity::heat_flux>(
        cell, row, column);
    const magflow::Cell<float> next = magflow::updated(
        magflow::Cell<float>{cell[Quantity::thickness], cell[Quantity::solidified],
                             cell[Quantity::heat], cell[Quantity::temperature]},
        cell[Quantity::volume_flux], cell[Quantity::heat_flux], length, parameters);
    cell[Quantity::thickness] = next.thickness;
    cell[Quantity::solidified] = next.solidified;
    cell[Quantity::heat] = next.heat;
    cell[Quantity::temperature] = next.temperature;
    if constexpr (L::keeps_ground) {
        views.template load<Quantity::altitude>(cell, row, column);
        cell[Quantity::ground] = cell[Quantity::altitude] + next.solidified;
        views.template store<Quantity::thickness, Quantity::solidified, Quantity::heat,
                             Quantity::temperature, Quantity::ground>(cell, row, column);
    } else {
        views.template store<Quantity::thickness, Quantity::solidified, Quantity::heat,
                             Quantity::temperature>(cell, row, column);
    }
}

template <class L, bool is_capped>
class RecordExecution final : public Execution {
  public:
    RecordExecution(Queue& queue, const Problem& problem, Region block)
        : queue_(queue),
          problem_(problem),
          store_(queue),
          clock_(store_),
          rates_(queue, problem.parameters),
          shape_(covering(problem.size, block)),
          longest_step_(static_cast<float>(magflow::longest_step(problem.parameters))),
          flow_(magflow::flow_parameters<float>(problem.parameters)),
          update_(magflow::update_parameters<float>(problem.parameters)),
          flux_(magflow::compensated(problem.parameters)
                    ? flux_kernel<magflow::Flux<float, true>>()
                    : flux_kernel<magflow::Flux<float, false>>()) {
        views_.columns = problem.size.columns;
        views_.rows = problem.size.rows;
        const Size size = L::shape(problem.size);
        each_record([&]<class R, int record>() {
            using Cell = typename R::Cell;
            layouts_[record] = Layout::make(size.columns, size.rows, 1, L::alignment, sizeof(Cell));
            memories_[record] = Memory(queue, layouts_[record].elements() * sizeof(Cell));
            get<record>(views_.from) = {static_cast<const Cell*>(memories_[record].get()),
                                        layouts_[record], "records"};
            get<record>(views_.to) = {static_cast<Cell*>(memories_[record].get()), layouts_[record],
                                      "records"};
        });
    }

    void upload(const State& initial) override {
        each_record([&]<class R, int record>() {
            std::vector<typename R::Cell> cells(layouts_[record].elements());
            R::for_each([&]<Quantity quantity, int slot>() {
                using T = typename R::Element;
                for (auto& cell : cells) cell.slot[slot] = static_cast<T>(outside(quantity));
                if (quantity != Quantity::ground && !initial.has(field_of(quantity))) return;
                for_each_cell(record, [&](std::size_t dense, std::size_t place) {
                    cells[place].slot[slot] = static_cast<T>(value(initial, quantity, dense));
                });
            });
            const std::size_t bytes = cells.size() * sizeof(typename R::Cell);
            queue_.upload(memories_[record].get(), bytes, cells.data(), bytes, {bytes, 1});
        });
        store_.upload(initial);
    }

    void download(State& result) override {
        each_record([&]<class R, int record>() {
            std::vector<typename R::Cell> cells(layouts_[record].elements());
            const std::size_t bytes = cells.size() * sizeof(typename R::Cell);
            queue_.download(cells.data(), bytes, memories_[record].get(), bytes, {bytes, 1});
            R::for_each([&]<Quantity quantity, int slot>() {
                if (!result.has(field_of(quantity))) return;
                using T = std::conditional_t<quantity == Quantity::vents, std::uint8_t, float>;
                const auto field = result.field(field_of(quantity)).template cells<T>();
                for_each_cell(record, [&](std::size_t dense, std::size_t place) {
                    field[dense] = static_cast<T>(cells[place].slot[slot]);
                });
            });
        });
        store_.download(result);
    }

    // Poisons the outputs of the flux kernel; all other fields change in place.
    void poison(Poison poison) override {
        std::vector<ByteArea> members;
        each_record([&]<class R, int record>() {
            using Cell = typename R::Cell;
            const Layout& layout = layouts_[record];
            Cell* const first = static_cast<Cell*>(memories_[record].get()) + layout.origin();
            R::for_each([&]<Quantity quantity, int slot>() {
                if (is_flux(quantity))
                    members.push_back({.first = &first->slot[slot],
                                       .pitch = layout.pitch * sizeof(Cell),
                                       .rows = static_cast<std::size_t>(layout.rows),
                                       .width = sizeof(typename R::Element),
                                       .pieces = static_cast<std::size_t>(layout.columns),
                                       .stride = sizeof(Cell),
                                       .element = poisoned_as<typename R::Element>(),
                                       .output = field_of(quantity)});
            });
        });
        queue_.poison(members, poison);
    }

    void advance(int generations) override {
        for (int done = 0; done < generations; ++done) {
            launch(queue_, "erupt", shape_, record_erupt_kernel<L>, views_, rates_.table(),
                   rates_.effusion().shape, clock_.time<const double>(), clock_.dt(),
                   longest_step_);
            launch(queue_, "flux", shape_, flux_, views_, flow_);
            launch(queue_, "minimum", shape_, record_minimum_kernel<L>, views_, clock_.dt(),
                   longest_step_);
            launch(queue_, "update", shape_, record_update_kernel<L>, views_,
                   clock_.dt<const Word<float>>(), clock_.time(), update_);
        }
    }

  private:
    using FluxKernel = void (*)(RecordViews<L>, magflow::FlowParameters<float>);

    template <class Rule>
    static FluxKernel flux_kernel() {
        if constexpr (is_capped)
            return capped_record_flux_kernel<Rule, L>;
        else
            return record_flux_kernel<Rule, L>;
    }

    // Calls f.operator()<R, record>() for each record of the layout.
    template <class F>
    static void each_record(const F& f) {
        L::List::for_each(
            [&]<class R>(R) { f.template operator()<R, L::List::template index<R>>(); });
    }
    // Calls f(index of a cell in a dense field, its index in a record's memory) for all cells.
    template <class F>
    void for_each_cell(int record, const F& f) const {
        const Layout& layout = layouts_[record];
        for (int row = 0; row < problem_.size.rows; ++row)
            for (int column = 0; column < problem_.size.columns; ++column) {
                const std::ptrdiff_t line = L::by_columns ? column : row;
                const std::ptrdiff_t in_line = L::by_columns ? row : column;
                f(static_cast<std::size_t>(row) * problem_.size.columns + column,
                  static_cast<std::size_t>(layout.origin() + line * layout.pitch + in_line));
            }
    }
    static bool is_flux(Quantity quantity) {
        return quantity == Quantity::volume_flux || quantity == Quantity::heat_flux ||
               quantity == Quantity::step_limit;
    }
    static float outside(Quantity quantity) {
        const bool wall = quantity == Quantity::altitude || quantity == Quantity::ground;
        return wall ? static_cast<float>(magflow::wall) : 0;
    }
    static float value(const State& state, Quantity quantity, std::size_t cell) {
        if (quantity == Quantity::ground)
            return value(state, Quantity::altitude, cell) +
                   value(state, Quantity::solidified, cell);
        const HostField& field = state.field(field_of(quantity));
        return quantity == Quantity::vents ? field.cells<std::uint8_t>()[cell]
                                           : field.cells<float>()[cell];
    }

    Queue& queue_;
    Problem problem_;
    FieldStore store_;
    Clock<float> clock_;
    MagflowRates rates_;
    LaunchShape shape_;
    float longest_step_;
    magflow::FlowParameters<float> flow_;
    magflow::UpdateParameters<float> update_;
    FluxKernel flux_;
    std::array<Layout, L::count> layouts_;
    std::array<Memory, L::count> memories_;
    RecordViews<L> views_;
};

CAMBER_TARGET_END

// Layouts and their variants.
CAMBER_WORKLOAD_BEGIN(magflow)

// One structure of ten words per cell, 40 bytes.
using MagflowStructure =
    RecordLayout<false, CellRecord<float, Quantity::altitude, Quantity::vents, Quantity::thickness,
                                   Quantity::solidified, Quantity::heat, Quantity::temperature,
                                   Quantity::volume_flux, Quantity::heat_flux, Quantity::step_limit,
                                   Quantity::emission>>;

template <Quantity quantity>
using Alone =
    CellRecord<std::conditional_t<quantity == Quantity::vents, std::uint8_t, float>, quantity>;

// Vectors of quantities that the flux reads, and of quantities that it does not read.
using MagflowVectors = RecordLayout<false,
                                    CellRecord<float, Quantity::thickness, Quantity::solidified,
                                               Quantity::heat, Quantity::temperature>,
                                    CellRecord<float, Quantity::volume_flux, Quantity::heat_flux>,
                                    Alone<Quantity::altitude>, Alone<Quantity::vents>,
                                    Alone<Quantity::step_limit>, Alone<Quantity::emission>>;

// One access reads all quantities of a neighbor that the flux needs.
using MagflowGroundVectors = RecordLayout<
    false,
    CellRecord<float, Quantity::thickness, Quantity::ground, Quantity::temperature, Quantity::heat>,
    CellRecord<float, Quantity::volume_flux, Quantity::heat_flux>, Alone<Quantity::altitude>,
    Alone<Quantity::solidified>, Alone<Quantity::vents>, Alone<Quantity::step_limit>,
    Alone<Quantity::emission>>;

using MagflowColumns =
    RecordLayout<true, Alone<Quantity::altitude>, Alone<Quantity::solidified>,
                 Alone<Quantity::thickness>, Alone<Quantity::temperature>, Alone<Quantity::heat>,
                 Alone<Quantity::vents>, Alone<Quantity::emission>, Alone<Quantity::volume_flux>,
                 Alone<Quantity::heat_flux>, Alone<Quantity::step_limit>>;

CAMBER_TARGET_END

namespace camber::magflow {
namespace {

constexpr TechniqueInfo structure{
    "array_of_structures", "all ten words of a cell in one structure, read member by member",
    "Bilotta et al. 2011, the layout on the CPU", Family::global_memory};
constexpr TechniqueInfo vectors{"vector_packed",
                                "four quantities in a float4, two fluxes in a float2, read whole",
                                "Bilotta et al. 2011", Family::global_memory};
constexpr TechniqueInfo capped_vectors{"vector_packed_cap",
                                       "as vector_packed, the flux with 32 registers per thread",
                                       "Bilotta et al. 2011", Family::global_memory};
constexpr TechniqueInfo ground_vectors{
    "vector_packed_ground", "thickness, ground, temperature and heat in a float4, read whole",
    "after Bilotta et al. 2011", Family::global_memory};
constexpr TechniqueInfo columns{"column_major", "every field stored by columns",
                                "Bilotta et al. 2011, section 6.3", Family::global_memory};

// Fields that a step reads and writes per cell, independent of the layout.
std::vector<FieldUse> uses(const std::vector<Quantity>& read, const std::vector<Quantity>& written,
                           ElementType vents) {
    std::vector<FieldUse> fields;
    const auto use = [&](Quantity quantity, bool reads) {
        fields.push_back({field_of(quantity),
                          quantity == Quantity::vents ? vents : ElementType::float32,
                          {},
                          reads,
                          !reads});
    };
    for (const Quantity quantity : read) use(quantity, true);
    for (const Quantity quantity : written) use(quantity, false);
    return fields;
}

template <class L>
std::vector<StepPlan> plans_of(const TechniqueInfo& info, Region block) {
    using enum Quantity;
    const ElementType vents_type = L::count == 1 ? ElementType::float32 : ElementType::uint8;
    const auto plan = [&](const char* step, const std::vector<Quantity>& read,
                          const std::vector<Quantity>& written) {
        StepPlan plan;
        plan.step = step;
        plan.technique = info;
        // Member by member, because nvcc 13.0 turns designated initializers with a gap into
        // positional ones here: the halo would get the region's width.
        plan.shape.block = plan.shape.region = block;
        plan.shape.halo = 1;
        plan.shape.alignment = L::alignment;
        plan.shape.path = block.name();
        plan.fields = uses(read, written, vents_type);
        return plan;
    };
    std::vector<Quantity> flux{thickness, temperature, vents};
    std::vector<Quantity> update{thickness, solidified, heat, temperature, volume_flux, heat_flux};
    std::vector<Quantity> updated{thickness, solidified, heat, temperature};
    if (L::keeps_ground) {
        flux.push_back(ground);
        update.push_back(altitude);
        updated.push_back(ground);
    } else {
        flux.insert(flux.end(), {altitude, solidified});
    }
    return {plan("erupt", {vents}, {}), plan("flux", flux, {volume_flux, heat_flux, step_limit}),
            plan("minimum", {step_limit}, {}), plan("update", update, updated)};
}

template <class L, bool is_capped = false>
void add(Registry& registry, const TechniqueInfo& info, const std::vector<Region>& blocks) {
    for (const Region block : blocks) {
        const auto plans = plans_of<L>(info, block);
        Variant variant = pipeline_variant("magflow", ElementType::float32, target_backend,
                                           "four_kernels", plans.front(), plans);
        variant.factories[target_backend] = [block](Queue& queue, const Problem& problem) {
            return std::make_unique<RecordExecution<L, is_capped>>(queue, problem, block);
        };
        variant.unsupported = [rows = block.rows](const Problem& problem) {
            return too_many_block_rows(problem.size.rows, rows);
        };
        registry.add(std::move(variant));
    }
}

const Registration magflow_layouts_variants([](Registry& registry) {
    const std::vector<Region> blocks{{64, 1}, {64, 3}, {64, 4}};
    add<MagflowStructure>(registry, structure, blocks);
    add<MagflowVectors>(registry, vectors, blocks);
    add<MagflowVectors, true>(registry, capped_vectors, blocks);
    add<MagflowGroundVectors>(registry, ground_vectors, blocks);
    // Same as 64x1 on rows.
    add<MagflowColumns>(registry, columns, {{1, 64}});
});

}  // namespace
}  // namespace camber::magflow
