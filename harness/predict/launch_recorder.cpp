#include "harness/predict/launch_recorder.hpp"

#include <algorithm>

namespace camber {

std::int64_t linear_index(const simt::Extent3& grid, const simt::Index3& block) {
    return block.x + std::int64_t{grid.x} * (block.y + std::int64_t{grid.y} * block.z);
}

LaunchRecorder::LaunchRecorder(simt::HostQueue& queue) : queue_(queue) {
    queue_.executor().set_recorder(this);
}

LaunchRecorder::~LaunchRecorder() {
    queue_.executor().set_recorder(nullptr);
    queue_.executor().set_block_filter({});
}

void LaunchRecorder::begin_launch(const simt::Launch& launch, const simt::SiteTable& sites) {
    choice_ = choose(launch);
    if (choice_.kind == BlockChoice::Kind::all)
        queue_.executor().set_block_filter({});
    else  // of `none` the list is empty
        queue_.executor().set_block_filter(
            [this](std::uint64_t block) {
                return std::ranges::binary_search(choice_.blocks, static_cast<std::int64_t>(block));
            },
            choice_.others_run);
    requests_.begin_launch(launch, sites);
}

}  // namespace camber
