// Page of an exercise: its text, goals, the picture of a warp's access, and the starting kernel.
#pragma once

#include <string>

#include "harness/cli/course/exercise.hpp"

namespace camber::course {

// HTML document without external references. All figures and the picture are computed for the
// starting kernel on the exercise's board. Throws Error(unavailable) if there is no compiler, and
// the errors of predict().
std::string exercise_page(const Exercise& exercise);

}  // namespace camber::course
