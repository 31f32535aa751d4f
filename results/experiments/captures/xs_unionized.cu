// XSBench's lookup kernel for the unionized grid alone: the two grid points of a nuclide, which are
// neighbors in memory, arrive by six loads of 16 bytes instead of eighteen of 8.
// camber: capture kernel=xs_lookup_unionized block=128
#include "Simulation.cu"

__global__ void __launch_bounds__(128) xs_lookup_unionized(Inputs in, SimulationData GSD) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= in.lookups) return;
    uint64_t seed = fast_forward_LCG(STARTING_SEED, 2 * i);
    const double p_energy = LCG_random_double(&seed);
    const int mat = pick_mat(&seed);
    const long idx =
        grid_search(in.n_isotopes * in.n_gridpoints, p_energy, GSD.unionized_energy_array);
    const int* const index = GSD.index_grid + idx * in.n_isotopes;
    const int first = mat * GSD.max_num_nucs;
    const int count = __ldg(GSD.num_nucs + mat);
    double macro[5] = {};
    for (int j = 0; j < count; ++j) {
        const int nuc = __ldg(GSD.mats + first + j);
        const double conc = __ldg(GSD.concs + first + j);
        long at = __ldg(index + nuc);
        if (at == in.n_gridpoints - 1) --at;
        const double2* const point = reinterpret_cast<const double2*>(
            GSD.nuclide_grid + nuc * in.n_gridpoints + at);
        const double2 low0 = __ldg(point), low1 = __ldg(point + 1), low2 = __ldg(point + 2);
        const double2 high0 = __ldg(point + 3), high1 = __ldg(point + 4), high2 = __ldg(point + 5);
        const double f = (high0.x - p_energy) / (high0.x - low0.x);
        macro[0] += (high0.y - f * (high0.y - low0.y)) * conc;
        macro[1] += (high1.x - f * (high1.x - low1.x)) * conc;
        macro[2] += (high1.y - f * (high1.y - low1.y)) * conc;
        macro[3] += (high2.x - f * (high2.x - low2.x)) * conc;
        macro[4] += (high2.y - f * (high2.y - low2.y)) * conc;
    }
    double max = -1.0;
    int max_index = 0;
    for (int j = 0; j < 5; ++j)
        if (macro[j] > max) {
            max = macro[j];
            max_index = j;
        }
    GSD.verification[i] = max_index + 1;
}
