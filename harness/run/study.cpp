#include "harness/run/study.hpp"

#include <fmt/format.h>

#include "harness/backend/host_memory.hpp"

namespace camber {

std::string baseline_name(const Workload& workload) {
    return fmt::format("{}/global/16x16", workload.name());
}

std::string case_name(const Study& study, const Variant& variant) {
    return fmt::format("{}/{}x{}/{}/{}{}", variant.info.name(), study.problem.size.columns,
                       study.problem.size.rows, info(study.problem.cell).name, name(study.backend),
                       study.problem.boundary == Boundary::torus ? "/torus" : "");
}

void check_memory(const Study& study, const Queue& queue) {
    // Initial, expected and actual state and the reference's second buffer on the host; two buffers
    // where the variant runs.
    const auto field = static_cast<std::size_t>(study.problem.size.cells()) *
                       static_cast<std::size_t>(info(study.problem.cell).size);
    const std::string board = fmt::format("a board of {}x{} {} cells", study.problem.size.columns,
                                          study.problem.size.rows, info(study.problem.cell).name);
    const bool on_device = study.backend == Backend::cuda;
    const std::size_t host_needed = (on_device ? 4 : 6) * field;
    if (const std::size_t free = available_host_memory(); host_needed > free)
        report_memory_shortage(board + " on the host", host_needed, free);
    if (const std::size_t free = queue.limits().available_memory; on_device && 2 * field > free)
        report_memory_shortage(board + " on the device", 2 * field, free);
}

}  // namespace camber
