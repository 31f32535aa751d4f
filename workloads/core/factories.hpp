// Factory functions of all workloads. The list of workloads calls them.
#pragma once

#include <memory>

#include "workloads/core/workload.hpp"

namespace camber {

// The workload `life`: Conway's Game of Life on cells of 4 bytes, 1 byte or 1 bit.
std::unique_ptr<Workload> make_life();

// Workload `larger_than_life`: the Game of Life with a neighborhood of any size, on byte or bit
// cells.
std::unique_ptr<Workload> make_larger_than_life();

// Workload `blur`: a 3x3 blur of a grayscale image, repeated in every generation.
std::unique_ptr<Workload> make_blur();

// Workload `gaussian`: a blur of a grayscale image by a Gaussian of any radius up to 16, repeated
// in every generation.
std::unique_ptr<Workload> make_gaussian();

// The workloads `dog`, the difference of two blurred images, and `dog_image`, the difference of two
// blurs of one image.
std::unique_ptr<Workload> make_dog();
std::unique_ptr<Workload> make_dog_image();

// The workload `magflow`: lava flows as a Bingham fluid, in steps of variable length.
std::unique_ptr<Workload> make_magflow();

// The workload `sciara_fv2`: lava flows that cool and solidify.
std::unique_ptr<Workload> make_sciara_fv2();

// The workload `sciara_fv3`: lava flows with momentum and steps of varying duration.
std::unique_ptr<Workload> make_sciara_fv3();

// The workload `surface_water`: rain that runs off over a terrain, Parsons-type.
std::unique_ptr<Workload> make_surface_water();

// The workload `water_flow`: water that finds its level on a terrain.
std::unique_ptr<Workload> make_water_flow();

// Workload `sph`: water as particles whose neighbors must be searched.
std::unique_ptr<Workload> make_sph();

// Workload `transfer_overlap`: an array that is uploaded, computed and downloaded in parts, to
// measure how much of the transfers a device hides under its kernels.
std::unique_ptr<Workload> make_transfer_overlap();

}  // namespace camber
