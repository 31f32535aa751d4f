// List of workloads in the program of a build tree, which loads all except the first from a
// library.
#include "harness/base/files.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

void append_further_workloads(std::vector<std::unique_ptr<Workload>>& list) {
    const ProgramPart part{"camber-workloads", "camber-workloads.so", "the further workloads"};
    build_part(part);
    // Kernels from files are linked with the symbols of these libraries.
    const auto append = part_function<decltype(&camber_append_further_workloads)>(
        part, Symbols::of_all, "camber_append_further_workloads");
    append(list);
}

}  // namespace camber
