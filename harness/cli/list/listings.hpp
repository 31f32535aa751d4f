// What `camber list` prints, one function per list.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"

namespace camber {

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

}  // namespace camber
