// The library that speaks MPI stands beside the program, or in lib/camber where that is installed;
// in a build the complete program has a folder of its own below it.
// It is loaded when ranks are asked for, so that the program needs no MPI to start.
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "harness/base/error.hpp"
#include "harness/groups/communicator.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

fs::path library() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {folder, folder.parent_path()})
        if (fs::path beside = place / "camber-mpi.so"; fs::exists(beside)) return beside;
    return folder.parent_path() / "lib/camber/camber-mpi.so";
}

}  // namespace

std::string why_no_ranks() {
    return fs::exists(library()) ? "" : "this camber was built without MPI";
}

std::unique_ptr<Transport> open_transport() {
    if (const std::string why = why_no_ranks(); !why.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("ranks need MPI, and {}: install it (on Debian and Ubuntu: "
                                "libopenmpi-dev and openmpi-bin), and in a clone of camber remove "
                                "the folder build and run ./camber again",
                                why));
    // Global, because Open MPI loads parts of its own that look for its symbols.
    void* const loaded = dlopen(library().c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (loaded == nullptr)
        throw Error(
            ExitCode::unavailable,
            fmt::format("MPI cannot be loaded: {}; install the one that camber was built with",
                        dlerror()));
    using Open = Transport* (*)();
    const auto open = reinterpret_cast<Open>(dlsym(loaded, "camber_open_mpi"));
    if (open == nullptr)
        throw Error(ExitCode::unavailable, fmt::format("MPI cannot be used: {}", dlerror()));
    return std::unique_ptr<Transport>(open());
}

}  // namespace camber
