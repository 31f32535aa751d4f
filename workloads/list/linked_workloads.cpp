#include "workloads/list/workloads.hpp"

namespace camber {

void append_further_workloads(std::vector<std::unique_ptr<Workload>>& list) {
    camber_append_further_workloads(list);
}

}  // namespace camber
