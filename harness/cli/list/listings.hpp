// Lists of `camber list`, as text and as JSON, and the matrix of techniques and workloads.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"

namespace camber {

// Text output of `camber list`, one function per list.

// Front page: one line per workload, and further commands. Loads kernels that are built.
std::string front_page();

std::string workload_list();

// Selects the variants to list; "" matches all.
struct VariantFilter {
    std::string workload;
    std::string technique;

    bool takes(const VariantInfo& info) const;
};

// Techniques of every workload, with their number of variants.
std::string technique_list(const Registry& registry);

// Variants by technique, each name once. Cell types are listed if they are not all of the
// workload's. Throws Error(usage) if no variant passes the filter.
std::string variant_list(const Registry& registry, const VariantFilter& filter);

// Steps of every workload that has several, with the choices for `--compose`.
std::string step_list(const Registry& registry);

// JSON output of `camber list`, for programs.
std::string workloads_json();

// Each name once, with all of its cell types.
std::string variants_json(const Registry& registry, const VariantFilter& filter);

// Markdown text of docs/techniques.md: a table of techniques (in order of registration) and
// workloads, the reasons for omissions, and a description of each technique. It counts the variants
// that the executor can run, which are all kernels, so that the page is the same with and without
// CUDA.
std::string technique_matrix(const Registry& registry);

}  // namespace camber
