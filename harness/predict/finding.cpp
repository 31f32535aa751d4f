#include "harness/predict/finding.hpp"

namespace camber {

std::string_view describe(FindingKind kind) {
    switch (kind) {
        case FindingKind::shared_race:
            return "race in shared memory";
        case FindingKind::global_race:
            return "race in global memory within a block";
        case FindingKind::block_race:
            return "race in global memory between blocks";
        case FindingKind::copy_race:
            return "race with a bulk copy";
        case FindingKind::cluster:
            return "access to shared memory of a block that may not be running";
        case FindingKind::bulk_copy:
            return "bulk copy that no thread waits for";
        case FindingKind::unwritten_shared:
            return "read of uninitialized shared memory";
        case FindingKind::unwritten_global:
            return "read of uninitialized global memory";
        case FindingKind::unwritten_output:
            return "output that no kernel wrote";
        case FindingKind::out_of_bounds:
            return "access out of bounds";
        case FindingKind::misaligned:
            return "misaligned access";
        case FindingKind::barrier:
            return "divergence at a barrier";
        case FindingKind::missing_wait:
            return "missing synchronization between queues";
        case FindingKind::stale_halo:
            return "stale halo";
        case FindingKind::double_emission:
            return "lava emitted more than once";
        case FindingKind::wrong_result:
            return "wrong result";
        case FindingKind::launch:
            return "invalid launch configuration";
    }
    return "";
}

}  // namespace camber
