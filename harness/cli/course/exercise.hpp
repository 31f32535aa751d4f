// Exercises of the course: text, kernels and goals, which the program contains or which are read
// from a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"

namespace camber::course {

// Upper limit of a quantity (quantities.hpp).
struct Goal {
    std::string quantity;
    double most = 0;
    bool guard = false;  // the starting kernel reaches it, and a solution must not lose it
};

// Range of the board sizes on which submissions are verified besides the exercise's own board.
struct HiddenSizes {
    Size smallest;
    Size largest;
    int multiple = 1;     // columns are a multiple of this number
    bool square = false;  // as many rows as columns
};

struct Exercise {
    int number = 0;
    std::string name;     // "coalescing"
    std::string title;    // "Coalescing"
    std::string summary;  // what is to be done, one line
    Size board;           // board on which quantities are counted
    HiddenSizes hidden;
    int generations = 1;
    double tolerance = 0;  // per cell, absolute and relative
    std::vector<Goal> goals;
    std::string picture;  // text of the source line whose access is drawn; "": most wasteful access
    std::string text;     // body of the page, HTML with placeholders for quantities
    std::string start;    // starting kernel
    std::string reference;  // kernel that defines the correct result
};

// The exercises in the order of their numbers: from `folder`, or those of the program if it is "".
// Throws Error(usage) for a folder without exercises and for files that are missing or invalid.
std::vector<Exercise> exercises(const std::filesystem::path& folder = "");

// Exercise with this number or name. Throws Error(usage) with the existing ones.
const Exercise& exercise_named(const std::vector<Exercise>& all, const std::string& name);

// Number in the line `// camber: exercise NUMBER` of a submission; nullopt if there is none.
std::optional<std::string> exercise_of(std::string_view text);

// Board and seed of one verified run.
struct Trial {
    Size board;
    std::uint64_t seed = 0;
};
// The exercise's own board, then hidden ones. The same seed yields the same trials.
std::vector<Trial> trials(const Exercise& exercise, std::uint64_t seed);

// File of an exercise, embedded when the program is built (cmake/Candidate.cmake).
struct ExerciseFile {
    std::string_view folder;  // "01-coalescing"
    std::string_view name;    // "start.cu"
    std::string_view text;
};

const std::vector<ExerciseFile>& exercise_files();

// Page of an exercise: its text, goals, the picture of a warp's access, and the starting kernel. An HTML
// document without external references. All figures and the picture are computed for the
// starting kernel on the exercise's board. Throws Error(unavailable) if there is no compiler, and
// the errors of predict().
std::string exercise_page(const Exercise& exercise);

}  // namespace camber::course
