// Files of the course's exercises, embedded when the program is built (cmake/Candidate.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace camber::course {

struct ExerciseFile {
    std::string_view folder;  // "01-coalescing"
    std::string_view name;    // "start.cu"
    std::string_view text;
};

const std::vector<ExerciseFile>& exercise_files();

}  // namespace camber::course
