// MAGFLOW with its fields in records, and with fields stored by columns. In single precision, as
// published.
#include "variants/lava/magflow/record_execution.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

// All ten words of a cell, 40 bytes from cell to cell.
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

// All that the flux reads of a neighbor by one access.
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
        // Member by member: of designated members with a gap between them nvcc 13.0 makes members
        // in a row here, and the halo would be the region's width.
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

template <class L>
void add(Registry& registry, const TechniqueInfo& info, const std::vector<Region>& blocks) {
    for (const Region block : blocks) {
        const auto plans = plans_of<L>(info, block);
        Variant variant = pipeline_variant("magflow", ElementType::float32, target_backend,
                                           "four_kernels", plans.front(), plans);
        variant.factories[target_backend] = [block](Queue& queue, const Problem& problem) {
            return std::make_unique<RecordExecution<L>>(queue, problem, block);
        };
        variant.unsupported = [rows = block.rows](const Problem& problem) {
            return too_many_block_rows(problem.size.rows, rows);
        };
        registry.add(std::move(variant));
    }
}

const Registration variants([](Registry& registry) {
    const std::vector<Region> blocks{{64, 1}, {64, 3}, {64, 4}};
    add<MagflowStructure>(registry, structure, blocks);
    add<MagflowVectors>(registry, vectors, blocks);
    add<MagflowGroundVectors>(registry, ground_vectors, blocks);
    // Same as 64x1 on rows.
    add<MagflowColumns>(registry, columns, {{1, 64}});
});

}  // namespace
}  // namespace camber::magflow
