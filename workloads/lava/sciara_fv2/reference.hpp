// Plain CPU reference of SCIARA-fv2, and its fields on the host.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"

namespace camber::sciara_fv2 {

// The fields of SCIARA-fv2 on the host, and sums over them.

using namespace lava::fields;  // the altitude is below 0 where none is known

// 1 for cells that take no part: the outermost ring, those without a known altitude and their
// neighbors. What flows there is lost.
inline constexpr const char* frame_field = "frame";
inline constexpr const char* lost_account = "lost";  // sum of thicknesses, m

// A state without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// Opens the account with the contents of the state.
void open_account(State& state);

// Sum in a fixed tree order, halves of halves, independent of the machine. m.
double tree_sum(std::span<const double> values);

// The plain reference of SCIARA-fv2.

// Cells that a step processes. Lava moves by one cell per step, so a halo of one cell around cells
// with lava is sufficient; processing all cells gives the same bits.
enum class Coverage { lava, board };

// Computes step `number` + 1 from `from` to `to`, whose fields altitude, thickness, temperature and
// solidified and whose account are overwritten. Any number of CPU threads gives the same bits.
void step(const State& from, State& to, const GenerationContext& context,
          Coverage extent = Coverage::lava);

// The number of steps after which the parameters' stop rule ends a run from `initial`. Throws
// Error(usage) where that is beyond ten million.
int steps_by_rule(const State& initial, GenerationContext context);

}  // namespace camber::sciara_fv2
