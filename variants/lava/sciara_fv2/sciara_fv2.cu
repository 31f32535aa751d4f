// SCIARA-fv2 in four kernels, emission, outflows, exchange and cooling, and in three, with outflows
// and exchange in one.
#include "variants/lava/sciara_fv2/blocks.hpp"
#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/lava/sciara_fv2/lava_cell.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

// cfame, conflict-free, as much memory as the flows: a block computes the outflows of its cells and
// their halo into shared memory, one cell per thread, and gathers inflows and outflows from there;
// no flow passes through global memory. Outflows of the halo are also computed by the blocks that
// own these cells. D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino, Sabatino,
// "Efficient Execution of Flow-Based Low-Order Stencil Algorithms on GPUs" (SSRN 5056757).
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Kernel with BX x BY threads, of which those at the rim compute outflows only.
template <int BX, int BY, Surroundings around>
__global__ void cfame_kernel(const Views<sciara_fv2::Transport> views) {
    __shared__ Tile<double, neighbours * BY, BX> flows;  // one plane per direction
    const Grid<const double>& temperature = views.input(Temperature<1>{});
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row = static_cast<int>(blockIdx.y) * (BY - 2) + y - 1;
    const int column = static_cast<int>(blockIdx.x) * (BX - 2) + x - 1;
    const LavaCell cell(views, row, column, around);
    each_neighbour([&]<int k>(Neighbour<k>) { flows((k - 1) * BY + y, x) = cell.out[k - 1]; });
    __syncthreads();

    if (!views.inside(row, column) || x == 0 || x == BX - 1 || y == 0 || y == BY - 1) return;
    Values<double, double> result{cell.h, {cell.t, {}}};
    if (cell.takes_part) {
        Mixture mixture(cell.h, cell.t);
        each_neighbour([&]<int k>(Neighbour<k>) {
            const double in =
                flows((opposite(k) - 1) * BY + y + row_offset(k), x + column_offset(k));
            const double t_k = temperature(row + row_offset(k), column + column_offset(k));
            mixture.exchange(in, t_k, cell.out[k - 1], cell.t);
        });
        result = after_exchange(mixture, cell.h, cell.t);
    }
    store(views, row, column, result);
}

struct Cfame {
    static constexpr TechniqueInfo info{
        "cfame", "outflows of a block and its ring in shared memory, none in global memory",
        "D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN 5056757",
        Family::shared_memory};

    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        add<8, 8>(catalogue);
        add<16, 16>(catalogue);
        add<32, 8>(catalogue);
        add<32, 16>(catalogue);
    }

  private:
    template <int BX, int BY>
    static void add(Catalogue<sciara_fv2::Transport>& catalogue) {
        add_transport(
            catalogue, info, {BX, BY}, sciara_fv2::neighbours,
            {cfame_kernel<BX, BY, Surroundings::edge>, cfame_kernel<BX, BY, Surroundings::halo>});
    }
};

CAMBER_TARGET_END

namespace camber::sciara_fv2 {

// Pipelines in double precision, without contraction of products and sums: variants are bit-equal
// to the reference if their math library is the same.

namespace {

const Registration sciara_fv2_variants([](Registry& registry) {
    using Techniques =
        TechniqueList<Global, GlobalSquares, Halo, SharedTile, FirstRows, Packed, RowStream,
                      ColumnStream, ReadOnly, Constant, CarveOuts, RinglessTile>;
    const auto cooling = step_choices<Cooling, Techniques>();
    const auto emission = emission_choices(cooling);
    const StepChoices steps{emission, step_choices<Outflows, Techniques>(),
                            step_choices<Exchange, Techniques>(), cooling};
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, "four_kernels",
                  steps);
    add_composer(registry, "sciara_fv2", ElementType::float64, target_backend, steps);
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, "three_kernels",
                  {emission, step_choices<Transport, TechniqueList<Cfame>>(), cooling});
    registry.leave_out("sciara_fv2", TwoElement::info.name,
                       "stages ten fields of eight bytes: twice a block of them is more than "
                       "shared memory holds");
    leave_out_whole_generations(registry, "sciara_fv2");
    leave_out_records_and_textures(registry, "sciara_fv2");
    registry.leave_out("sciara_fv2", ColumnStream::info.name, too_heavy);
});

}  // namespace
}  // namespace camber::sciara_fv2
