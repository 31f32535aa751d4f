// Detection of small faults: each fault below changes bits of a flux or of the step, in single
// precision, on rough ground with lava.
#include <cstdint>
#include <functional>
#include <vector>

#include "tests/catch.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/lava/start.hpp"

namespace camber::magflow::mutants_test {
namespace {

using Real = float;
using Total = CellFlux<Real, true>;

// Computation of a step in which faults can be injected.
struct Computation {
    std::vector<int> order{0, 1, 2, 3, 4, 5, 6, 7};
    Real diagonal = 0;               // m; 0: correct
    bool receiver_heats = false;     // heat leaves at the receiver's temperature
    bool empty_cells_limit = false;  // cells without lava limit the step to 0
    int leaves_out = -1;             // this neighbor of the cells in row 1

    struct Result {
        std::vector<Real> volume, heat;
        Real dt;
        bool operator==(const Result&) const = default;
    };

    Result run(const State& state) const {
        auto p = flow_parameters<Real>(etna());
        if (diagonal > 0) p.distance[1] = diagonal;
        const Size size = state.field(thickness_field).size();
        const auto lava = [&](int row, int column) {
            return Lava<Real>{at<Real>(state, altitude_field, row, column),
                              at<Real>(state, thickness_field, row, column),
                              at<Real>(state, temperature_field, row, column)};
        };
        Result result{{}, {}, p.longest_step};
        for (int row = 1; row + 1 < size.rows; ++row)
            for (int column = 1; column + 1 < size.columns; ++column) {
                const Lava<Real> own = lava(row, column);
                Total total(0, p);
                for (const int k : order) {
                    if (row == 1 && k == leaves_out) continue;
                    const Lava<Real> other = lava(row + row_offset(k), column + column_offset(k));
                    auto e = exchange(own, other, p.distance[is_diagonal(k)], p);
                    if (receiver_heats) e.heat = e.volume * (e.gives ? other : own).temperature;
                    total.add(e);
                }
                result.volume.push_back(total.volume.value);
                result.heat.push_back(total.heat.value);
                const Real limit = empty_cells_limit && !(own.thickness > 0)
                                       ? Real(0)
                                       : step_limit(own.thickness, total.outflow, p);
                if (limit < result.dt) result.dt = limit;
            }
        return result;
    }
};

}  // namespace

TEST_CASE("faults in the fluxes of MAGFLOW show in their bits", "[magflow]") {
    const State state =
        initial_state(lava::volcano({40, 30}, 3, 0.5), ElementType::float32, capacity);
    const auto right = Computation{}.run(state);
    // Without a fault, the result is the reference's step.
    State after = state;
    step(state, after, {Boundary::dead, etna(lava::volcano_rates()), 0});
    CHECK(time_of(after) == right.dt);

    Computation swapped;
    std::swap(swapped.order[2], swapped.order[3]);
    CHECK(swapped.run(state).volume != right.volume);
    Computation square;
    square.diagonal = 10;
    CHECK(square.run(state).volume != right.volume);
    Computation receiver;
    receiver.receiver_heats = true;
    CHECK(receiver.run(state).volume == right.volume);
    CHECK(receiver.run(state).heat != right.heat);
    Computation empty;
    empty.empty_cells_limit = true;
    CHECK(empty.run(state).dt == 0);
    for (int k = 0; k < neighbours; ++k) {
        Computation rim;
        rim.leaves_out = k;
        CHECK(rim.run(state).volume != right.volume);
    }
}

}  // namespace camber::magflow::mutants_test
