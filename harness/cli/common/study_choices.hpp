// Choices that turn options into a study: variants by name, composed variants, and the initial
// state with its parameters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Composed variants: a technique for each step of a workload, as typed.

// The variant that `text`, "STEP=TECHNIQUE/SHAPE[+STEP=...]", means: choices of steps by their
// names. Steps that it does not name take halo/64x4/align128, or their first choice where they have
// no such. Throws Error(usage) for a workload of one step, for a step, or a choice, that does not
// exist, and for choices that cannot go together; Error(unavailable) for a backend that is not
// built.
Variant composed_variant(const Registry& registry, const std::string& text,
                         const Workload& workload, Backend backend, ElementType cell);

// The variants that a command is asked for, as typed.

// The workload's variants for one backend and cell type whose name, with or without the workload in
// front, matches one of the globs; all of them where there is no glob. Throws Error(usage) for a
// glob that matches none, and where there are no variants to choose from.
std::vector<const Variant*> chosen_variants(const std::vector<std::string>& globs,
                                            const Workload& workload, Backend backend,
                                            ElementType cell);

// What the compositions mean (see composed_variant()), each variant once.
std::vector<std::shared_ptr<const Variant>> composed_variants(
    const std::vector<std::string>& compositions, const Workload& workload, Backend backend,
    ElementType cell);

// What a run starts from, by its options: the initial state and the parameters that hold from it
// on.

// Copies of the input, columns and rows of them.
Size chosen_tiles(const RunOptions& options, const Workload& workload);

// What is said of an eruption's ground makes sense.
void check_ground(const RunOptions& options, const Workload& workload);

// Sets them in a study whose workload, size, cells and boundary are chosen. All throw Error(usage).
void choose_start(Study& study, const RunOptions& options);

}  // namespace camber
