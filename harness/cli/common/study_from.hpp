// Builds a study from command-line options.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/measure/study.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Workload that the options name, with its kernels loaded, and its cell type. Both functions throw
// Error(usage) for unknown names.
const Workload& workload_of(const RunOptions& options);
ElementType cell_of(const RunOptions& options, const Workload& workload);

// `auto` selects cuda if a device is usable.
Backend chosen_backend(const RunOptions& options);

// Throws Error(usage) if the options combine --graph with a group feature that no graph can replay.
void check_graph(const RunOptions& options);

// Throws Error(usage) for invalid options: unknown names, impossible sizes.
Study study_from(const RunOptions& options);

// Sets the workload parameters of --balance-threshold and --divide-by. Throws Error(usage) if they
// are given for a workload without slices.
void choose_slices(Study& study, const GroupOptions& options);

// Replaces every variant by its divided forms on each of these groups.
void divide(Study& study, const std::vector<GroupChoice>& choices);

// One study for each size in --size (see sizes_in()). Throws Error(usage) as above.
std::vector<Study> studies_from(const RunOptions& options);

// Composed variants: one technique for each step of a workload.

// Returns the variant for `text`, "STEP=TECHNIQUE/SHAPE[+STEP=...]", which gives choices by step
// name. Steps without a choice use halo/64x4/align128, or their first choice if they do not have
// that one. Throws Error(usage) for a workload with one step, for an unknown step or choice, and
// for choices that cannot be combined; Error(unavailable) for a backend that is not built.
Variant composed_variant(const Registry& registry, const std::string& text,
                         const Workload& workload, Backend backend, ElementType cell);

// Variants that a command's options select.

// Variants of the workload for one backend and cell type whose name, with or without the workload
// in front, matches one of the globs; all variants if there are no globs. Throws Error(usage) for a
// glob without matches, and if there are no variants to choose from.
std::vector<const Variant*> chosen_variants(const std::vector<std::string>& globs,
                                            const Workload& workload, Backend backend,
                                            ElementType cell);

// Variants for the compositions (see composed_variant()), each only once.
std::vector<std::shared_ptr<const Variant>> composed_variants(
    const std::vector<std::string>& compositions, const Workload& workload, Backend backend,
    ElementType cell);

// Start of a run according to its options: the initial state and the parameters.

// Sets the initial state and parameters in a study whose workload, size, cell type and boundary are
// set. These functions throw Error(usage).
void choose_start(Study& study, const RunOptions& options);

}  // namespace camber
