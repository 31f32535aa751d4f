#include "harness/cli/campaign/part_list.hpp"

#include <vector>

#include "harness/cli/campaign/board_parts.hpp"
#include "harness/cli/campaign/particle_parts.hpp"
#include "harness/cli/campaign/radius_parts.hpp"
#include "harness/cli/campaign/terrain_parts.hpp"
#include "harness/cli/campaign/workload_parts.hpp"

namespace camber {

namespace {

// Boards for times are larger than every cache; those of workloads with many variants are smaller,
// and their samples fewer. Counters are read on boards whose launches fill the device. No part is
// to take much more than a minute on a large card.
std::vector<ListedPart> all_parts() {
    std::vector<ListedPart> all;
    for (const std::span<const ListedPart> parts :
         {std::span<const ListedPart>(workload_time_parts),
          std::span<const ListedPart>(particle_parts),
          std::span<const ListedPart>(workload_counter_parts),
          std::span<const ListedPart>(board_parts), std::span<const ListedPart>(terrain_parts),
          std::span<const ListedPart>(radius_parts),
          std::span<const ListedPart>(further_time_parts),
          std::span<const ListedPart>(largest_particle_parts),
          std::span<const ListedPart>(repeated_board_parts)})
        all.insert(all.end(), parts.begin(), parts.end());
    return all;
}

}  // namespace

std::span<const ListedPart> listed_parts() {
    static const std::vector<ListedPart> all = all_parts();
    return all;
}

}  // namespace camber
