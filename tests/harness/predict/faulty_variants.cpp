// Variants of Life that `camber check` must reject, one that it must accept, and one whose devices
// exchange nothing.
#include "harness/groups/pipeline.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/variants/toy_technique.hpp"
#include "tests/variants/wrong_techniques.hpp"
#include "workloads/life/rule.hpp"

namespace camber {
inline namespace on_host {
namespace {

// thread_per_input without its barrier.
template <class Rule>
__global__ void racy_kernel(const Views<Rule> views) {
    using Tag = typename Rule::Inputs::template At<0>;
    __shared__ Tile<typename Tag::Type, 16, 16> tile;
    const int ty = threadIdx.y;
    const int tx = threadIdx.x;
    const int row = blockIdx.y * 14 - 1 + ty;
    const int column = blockIdx.x * 14 - 1 + tx;
    tile(ty, tx) = load_if(row <= views.rows && column <= views.columns, views.input(Tag{}), row,
                           column, Tag::outside());
    if (tx < 1 || tx > 14 || ty < 1 || ty > 14 || row >= views.rows || column >= views.columns)
        return;
    const auto read = [&](Tag, int dcol, int drow, Site site) ->
        typename Tag::Type { return tile(ty + drow, tx + dcol, site); };
    store(views, row, column, apply(views, read));
}

template <class Rule>
__global__ void plain_kernel(const Views<Rule> views) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= views.rows || column >= views.columns) return;
    store(views, row, column, apply(views, [&](auto tag, int dcol, int drow, Site site) {
              return views.input(tag)(row + drow, column + dcol, site);
          }));
}

struct Racy {
    static constexpr TechniqueInfo info{"racy", "a tile without a barrier", "none"};

    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        catalogue.add(
            info, {.shape = {.block = {16, 16}, .region = {14, 14}, .halo = 1, .alignment = 128},
                   .kernel = {racy_kernel<Rule>}});
    }
};

void add_forgetful(Registry& registry) {
    std::vector<StepPlan> plans;
    Catalogue<Life<std::uint32_t>> choices(plans);
    choices.add(
        {"forgetful", "rows stay where they are", "none"},
        {.shape = {.block = {16, 16}, .halo = 1}, .kernel = {plain_kernel<Life<std::uint32_t>>}});
    Variant variant =
        pipeline_variant("life", ElementType::uint32, Backend::simt, "", plans.front(), plans);
    variant.group_factories[Backend::simt] = [plans](Queue& lead, const Problem& problem,
                                                     const GroupChoice& choice) {
        return divide<RowPartition>(std::make_unique<Group>(lead, choice.devices),
                                    GroupExchange(choice.exchange, forgets<SendsNothing>), problem,
                                    plans, choice.division);
    };
    registry.add(std::move(variant));
}

const Registration faulty([](Registry& registry) {
    Catalogue<Life<std::uint32_t>> catalogue(registry, "life", ElementType::uint32);
    Transposed::add(catalogue);
    Racy::add(catalogue);
    Wrong<Fault::out_of_bounds>::add(catalogue);
    add_forgetful(registry);
});

}  // namespace
}  // namespace on_host
}  // namespace camber
