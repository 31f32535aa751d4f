// Verdict on a submission to the course: what was checked, what is left to do, and the score.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/course/exercise.hpp"
#include "harness/cli/course/trial.hpp"
#include "harness/own/problem/own_workload.hpp"
#include "harness/record/archive.hpp"

namespace camber::course {

enum class Verdict {
    passed,
    goal_missed,  // right and free of races, but a quantity is above its goal
    race,         // threads access the same bytes without order
    wrong,        // cells differ from the reference, or a board is not accepted
    failed,       // a fault, a crash, or a limit of time or memory
    not_compiled,
    rejected,  // contains what a submission must not contain
};
std::string_view name(Verdict verdict);

struct GoalResult {
    Goal goal;
    std::optional<double> value;  // absent if it was not counted
    bool reached() const;
};

struct BoardResult {
    Trial trial;
    bool right = false;
    std::int64_t differing_cells = 0;
    std::string problem;  // sentence about a difference, a fault or a skipped board; "" if none
};

struct Grade {
    std::string file;
    int exercise = 0;
    std::string title;
    Verdict verdict = Verdict::rejected;
    std::uint64_t seed = 0;
    std::vector<BoardResult> boards;
    std::vector<std::string> findings;  // of the executor
    std::vector<GoalResult> goals;
    std::vector<std::string> to_do;  // sentences, most important first
    double seconds = 0;              // to grade it

    // 0 to 100. The goals share 100 points, except guards: each missed one halves the points. 0 for
    // a result that is wrong or races. So an unchanged starting kernel has 0 points.
    int score() const;
    bool passed() const { return verdict == Verdict::passed; }
};

// An exercise with its compiled reference, which can grade any number of submissions.
class Grader {
  public:
    // Throws Error(unavailable) if there is no compiler.
    Grader(const Exercise& exercise, std::uint64_t seed, const Limits& limits);

    // Must be called while the process has one thread. Throws the errors of observe().
    Grade grade(const std::filesystem::path& file);
    const Exercise& exercise() const { return exercise_; }
    const Workload& workload() const { return *workload_; }

  private:
    const State& expected(std::size_t trial);
    BoardResult judge(const BoardRun& run, std::size_t trial);

    Exercise exercise_;
    std::uint64_t seed_;
    Limits limits_;
    std::vector<Trial> trials_;
    std::unique_ptr<OwnWorkload> workload_;
    std::vector<std::optional<State>> expected_;  // by trial, computed when first needed
};

// Compiles the exercise's reference.
std::unique_ptr<OwnWorkload> reference_of(const Exercise& exercise);

// Page for people: a table of checks and goals, and what is left to do.
std::string page_of(const Grade& grade);
// Table with a row for each submission.
std::string table_of(const std::vector<Grade>& grades);
// Document for programs (results/schema/camber-course.schema.json).
results::Json document_of(const std::vector<Grade>& grades);

}  // namespace camber::course
