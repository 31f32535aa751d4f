// CPU reference of SCIARA-fv2, and its fields on the host.
#pragma once

#include <span>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/workload.hpp"
#include "workloads/lava/emission.hpp"
#include "workloads/lava/fields.hpp"
#include "workloads/lava/sciara_fv2/parameters.hpp"

namespace camber::sciara_fv2 {

// Fields of SCIARA-fv2 on the host, and sums over them.

using namespace lava::fields;  // altitude is below 0 if unknown

// 1 in cells that do not take part: the outermost ring of the board, cells of unknown altitude, and
// their neighbors. Lava that flows there is lost.
inline constexpr const char* frame_field = "frame";
inline constexpr const char* lost_account = "lost";  // sum of thicknesses, m

// State without lava on the given ground, row by row. Every vent must have rates.
State bare_state(Size size, std::span<const double> altitude,
                 const std::vector<lava::VentCell>& vents, const lava::EmissionRates& rates);
// Initializes the account with the totals of the state.
void open_account(State& state);

// Sum in a fixed order, a binary tree over halves, which makes the result independent of the
// machine, m.
double tree_sum(std::span<const double> values);

// Reference steps.

// Cells that a step processes. Lava moves by at most one cell per step, so a halo of one cell
// around all cells with lava is sufficient; processing the whole board gives the same bits.
enum class Coverage { lava, board };

// Computes step `number` + 1 from `from` to `to`, whose fields altitude, thickness, temperature and
// solidified and whose account are overwritten. The bits do not depend on the number of CPU
// threads.
void step(const State& from, State& to, const GenerationContext& context,
          Coverage extent = Coverage::lava);

// Number of steps after which the stop rule of the parameters ends a run from `initial`. Throws
// Error(usage) if it exceeds ten million.
int steps_by_rule(const State& initial, GenerationContext context);

// The same steps on a list of active cells and in place, on one core (`active_list`) and on all.
// Both give the bits of step().
std::vector<ReferenceForm> active_list_forms();

}  // namespace camber::sciara_fv2
