// The list of workloads: one object each, found by name.
//
// A complete program, as packages and tests have it, carries all of them (linked_workloads.cpp).
// The program of a build tree carries the first one, which runs when nothing else is asked for, and
// loads the further ones from a library (loaded_workloads.cpp), so that the first table does not
// wait for their compilation.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "workloads/workload.hpp"

namespace camber {

// Throws Error(unavailable) where they cannot be loaded; so does find_workload().
const std::vector<std::unique_ptr<Workload>>& workloads();

// The one of that name: of the list, or one that was added; nullptr if there is none. To find the
// first one loads no other.
const Workload* find_workload(std::string_view name);

// Adds one that the program does not have itself, to be found by its name. In the place of one of
// that name that was added before. The list stays as it is.
const Workload& add_workload(std::unique_ptr<Workload> workload);

// Appends all but the first one, in the order of the list.
void append_further_workloads(std::vector<std::unique_ptr<Workload>>& list);

}  // namespace camber

// append_further_workloads() under a name that a library can be asked for.
extern "C" void camber_append_further_workloads(
    std::vector<std::unique_ptr<camber::Workload>>& list);
