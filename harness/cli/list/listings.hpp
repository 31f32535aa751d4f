// Lists that `camber list` prints, as text and as JSON, and the matrix of techniques by workload.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"

namespace camber {

// What `camber list` prints, one function per list.

// One page: every workload in a line, and how to see more. Loads kernels that are built.
std::string front_page();

std::string workload_list();

// Which variants are listed; "" for all.
struct VariantFilter {
    std::string workload;
    std::string technique;

    bool takes(const VariantInfo& info) const;
};

// Of every workload, the names of its techniques and how many variants they have.
std::string technique_list(const Registry& registry);

// Technique by technique, each name once; with its cell types where not all of the workload's have
// it. Throws Error(usage) where the filter takes none.
std::string variant_list(const Registry& registry, const VariantFilter& filter);

// The steps of every workload that has several, with the choices for `--compose`.
std::string step_list(const Registry& registry);

// `camber list` for programs.
std::string workloads_json();

// Each name once, with all of its types of cells.
std::string variants_json(const Registry& registry, const VariantFilter& filter);

// The page that says which techniques every workload has, and why it has not the others.

// Markdown, as docs/techniques.md holds it: a table of techniques, in order of registration, by
// workloads, the reasons for what was left out, and what each technique is. Variants that the
// executor runs count, because it runs all kernels: the page is the same with CUDA and without.
std::string technique_matrix(const Registry& registry);

}  // namespace camber
