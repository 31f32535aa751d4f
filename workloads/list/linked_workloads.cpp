// List of workloads in a complete program, which contains all of them.
#include "workloads/list/workloads.hpp"

namespace camber {

void append_further_workloads(std::vector<std::unique_ptr<Workload>>& list) {
    camber_append_further_workloads(list);
}

}  // namespace camber
