// Version, compiler, flags and commit of this program. The definitions are generated at every
// build.
#pragma once

namespace camber::build_info {

extern const char* const version;
extern const char* const compiler;    // "GNU 12.2.0", with nvcc's version in builds with CUDA
extern const char* const flags;       // C++ compiler flags
extern const char* const build_type;  // CMake build type
extern const char* const git_commit;  // "" outside a git checkout
extern const bool git_dirty;

}  // namespace camber::build_info
