// Output that nobody reads any more, such as that of `camber list | head -1`.
#pragma once

namespace camber {

// From here on, writing to a pipe that nobody reads fails with EPIPE and does not end the program
// at once, so that it still removes its temporary files. Programs that it starts are not affected.
void fail_on_broken_pipe();

// True once that has happened.
bool pipe_is_broken();

// Ends the program as a broken pipe does by default.
[[noreturn]] void end_by_broken_pipe();

}  // namespace camber
