// Limits of the process (ulimit) that are too low to work under. Some libraries end the program,
// with an exit code of their own, when they cannot open a file; a stack that is too small ends it
// by a signal.
#pragma once

namespace camber {

// Raises the limits of open files and of the stack where they are too low and may be raised. Throws
// Error(unavailable) where a limit stays too low.
void require_process_limits();

}  // namespace camber
