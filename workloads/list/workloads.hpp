// The list of workloads: one object each, found by name.
//
// A complete program, as in packages and tests, contains all of them (linked_workloads.cpp). The
// program of a build tree contains the first one, which runs by default, and loads the others
// from a library (loaded_workloads.cpp), so that the first table does not wait for their
// compilation.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "workloads/core/workload.hpp"

namespace camber {

// Throws Error(unavailable) where they cannot be loaded; so does find_workload().
const std::vector<std::unique_ptr<Workload>>& workloads();

// The one of that name: of the list, or one that was added; nullptr if there is none. To find the
// first one loads no other.
const Workload* find_workload(std::string_view name);

// Adds a workload that the program does not contain, to be found by its name. Replaces an added
// workload of the same name. The list itself does not change.
const Workload& add_workload(std::unique_ptr<Workload> workload);

// Appends all but the first one, in the order of the list.
void append_further_workloads(std::vector<std::unique_ptr<Workload>>& list);

}  // namespace camber

// append_further_workloads() under a symbol name that can be looked up in a library.
extern "C" void camber_append_further_workloads(
    std::vector<std::unique_ptr<camber::Workload>>& list);
