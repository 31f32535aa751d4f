// What this program was built from and how. The definitions are generated at every build.
#pragma once

namespace camber::build_info {

extern const char* const version;
extern const char* const compiler;    // "GNU 12.2.0", with nvcc's version where CUDA is built in
extern const char* const flags;       // of the C++ compiler
extern const char* const build_type;  // CMake's
extern const char* const git_commit;  // "" outside a git checkout
extern const bool git_dirty;

}  // namespace camber::build_info
