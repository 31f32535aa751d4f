// Constructs that a captured launch cannot reproduce.
#pragma once

#include <string>

#include "harness/capture/capture_folder.hpp"

namespace camber::capture {

// Sentence about a construct of the kernel that a replay cannot reproduce: textures, surfaces,
// memory allocated in the kernel, waiting for other kernels. "" if there is none.
std::string unsupported_construct(const Capture& capture);

}  // namespace camber::capture
