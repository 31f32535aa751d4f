// List of workloads: one object each, found by name.
//
// A complete program, as in packages and tests, contains all of them (linked_workloads.cpp). The
// program in a build tree contains the first one, which runs by default, and loads the others from
// a library (loaded_workloads.cpp), so that its first table need not wait for their compilation.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "workloads/core/workload.hpp"

namespace camber {

// All workloads. Throws Error(unavailable) if they cannot be loaded; find_workload() does so, too.
const std::vector<std::unique_ptr<Workload>>& workloads();

// Workload with this name, from the list or from add_workload(); nullptr if there is none. Finding
// the first workload of the list loads no other.
const Workload* find_workload(std::string_view name);

// Adds a workload that the program does not contain, which find_workload() then returns. Replaces
// an added workload of the same name. The list itself does not change.
const Workload& add_workload(std::unique_ptr<Workload> workload);

// Appends all workloads except the first, in the order of the list.
void append_further_workloads(std::vector<std::unique_ptr<Workload>>& list);

}  // namespace camber

// append_further_workloads() under a symbol name that can be looked up in a library.
extern "C" void camber_append_further_workloads(
    std::vector<std::unique_ptr<camber::Workload>>& list);
