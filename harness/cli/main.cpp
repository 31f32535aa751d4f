// Entry point of camber. The program itself is in the library, where it shares the translation unit
// of the folder harness/cli/run.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/base/candidate_guard.hpp"
#include "harness/cli/commands.hpp"

// Takes the place of the C library's exit(), also for kernels that are loaded. If threads of the
// executor run a kernel that calls it, destructors would free memory that other threads still use.
extern "C" void exit(int code) noexcept {
    if (camber::is_candidate_active()) _exit(code);
    static const auto next = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"));
    if (next) next(code);
    _exit(code);
}

int main(int argc, char** argv) {
    return camber::run_program(argc, argv);
}
