// The course grades its own solutions and starting kernels, and submissions that cheat or crash.
#include "harness/cli/course/grading.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "harness/base/files.hpp"
#include "harness/cli/course/trial.hpp"
#include "tests/catch.hpp"
#include "tests/harness/record/results_file_fixture.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::grading_test {

namespace {

namespace fs = std::filesystem;
using namespace camber::course;
using results_test::TestFolder;
using results_test::text_of;
using results_test::write_text;

const fs::path solutions = fs::path(CAMBER_SOURCE_DIR) / "tests/harness/cli/course/solutions";

const Exercise& exercise(const std::string& name) {
    static const std::vector<Exercise> all = exercises();
    return exercise_named(all, name);
}

fs::path solution_of(const Exercise& one) {
    return solutions / fmt::format("{:02}-{}.cu", one.number, one.name);
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// Grade of a text as a submission to the first exercise.
Grade grade_of(const std::string& text, const Limits& limits = {}) {
    const TestFolder folder;
    const fs::path file = folder.path() / "kernel.cu";
    write_text(file, text);
    return Grader(exercise("1"), 11, limits).grade(file);
}

// A correct kernel for the first exercise. Its threads begin with `statement`, and the file also
// contains `outside`.
std::string kernel_with(const std::string& statement, const std::string& outside = "") {
    return "// camber: exercise 1\n"
           "// camber: brighten(in, out, columns, rows, pitch) block=64x4 overhang=yes\n" +
           outside +
           "\n__global__ void brighten(const float* in, float* out, int columns, int rows, int "
           "pitch) {\n"
           "    const int column = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    const int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "    if (column >= columns || row >= rows) return;\n" +
           statement +
           "\n    out[row * pitch + column] = 1.5f * in[row * pitch + column] + 0.25f;\n}\n";
}

struct Cheat {
    std::string name;
    std::string text;
    Verdict verdict;
    std::string said;  // part of what is left to do
};

const std::vector<Cheat> wrong_ones{
    {"writes a constant", kernel_with("out[row * pitch + column] = 1.0f; return;"), Verdict::wrong,
     "cells differ from the reference"},
    {"writes nothing", kernel_with("return;"), Verdict::wrong, "differ from the reference"},
    {"reads beyond its arguments",
     kernel_with("out[row * pitch + column] = in[(row + 100000) * pitch + column]; return;"),
     Verdict::failed, "field `cells`"},
    {"searches memory for the expected output",
     kernel_with("const float* other = out; while (*other != 1.5f * in[0] + 0.25f) other += 1024;"),
     Verdict::failed, "field `cells`"},
    {"loops for ever", kernel_with("for (;;) {}"), Verdict::failed, "has not ended"},
    {"loops for ever with work", kernel_with("volatile int n = 0; while (n >= 0) n = n & 1;"),
     Verdict::failed, "has not ended"},
    {"races through global memory", kernel_with("out[0] = 1.0f;"), Verdict::race, "Race"},
};

const std::vector<Cheat> crashing_ones{
    {"dereferences null", kernel_with("*(volatile int*)0 = 1;"), Verdict::failed,
     "in none of its fields"},
    {"recurses without end",
     kernel_with("if (deep(columns) == 7) return;",
                 "__device__ int deep(int n) { return n < -1 ? 0 : deep(n + 1) + 1; }"),
     Verdict::failed, "overflowed its stack"},
    {"divides by zero", kernel_with("volatile int zero = 0; if (columns / zero == 1) return;"),
     Verdict::failed, "divided an integer by zero"},
    {"leaves a barrier", kernel_with("if (threadIdx.x < 3) __syncthreads();"), Verdict::failed,
     "Block (0,0) thread (0,0): __syncthreads() was reached by 12 of 256 threads"},
    {"is no CUDA", "// camber: exercise 1\nhello\n", Verdict::not_compiled, "kernel.cu"},
    {"does not compile", kernel_with("int x = ;"), Verdict::not_compiled, "does not compile"},
    {"needs much shared memory", kernel_with("", "__shared__ float huge[1 << 28];"),
     Verdict::not_compiled, "Its shared variables have"},
    {"claims generations",
     kernel_with("") + "// camber: brighten(in, out, columns, rows, pitch) block=64x4 "
                       "generations=3 overhang=yes\n",
     Verdict::not_compiled, "generations"},
};

const std::vector<Cheat> forbidden_ones{
    {"calls exit", kernel_with("exit(0);"), Verdict::rejected, "exit"},
    {"forks", kernel_with("fork();", "extern \"C\" int fork();"), Verdict::rejected, "fork"},
    {"writes a file", kernel_with("if (column == 0) fputs(\"100\", fopen(\"score.json\", \"w\"));"),
     Verdict::rejected, "fopen"},
    {"reads a file", kernel_with("FILE* f = fopen(\"reference.cu\", \"r\"); (void)f;"),
     Verdict::rejected, "fopen"},
    {"writes to the report's descriptor",
     kernel_with("for (int i = 3; i < 9; ++i) write(i, \"passed\", 6);",
                 "extern \"C\" long write(int, const void*, unsigned long);"),
     Verdict::rejected, "write"},
    {"calls the host", kernel_with("camber_host = nullptr;"), Verdict::rejected, "camber_host"},
    {"defines an instrumentation call", kernel_with("", "extern \"C\" void __tsan_read4(void*);"),
     Verdict::rejected, "__tsan_read4"},
    {"turns off the instrumentation",
     kernel_with("", "__attribute__((no_sanitize(\"thread\"))) __device__ int f() { return 1; }"),
     Verdict::rejected, "__attribute__"},
    {"turns it off by another spelling",
     kernel_with("", "#define L [\n#define R ]\nL L gnu::no_sanitize(\"thread\") R R int f();"),
     Verdict::rejected, "gnu"},
    {"splits a word", kernel_with("__as\\\nm__(\"nop\");"), Verdict::rejected, "__asm__"},
    {"pastes a word", kernel_with("", "#define P(a, b) a##b\nint P(x, y)();"), Verdict::rejected,
     "token pasting"},
    {"replaces a keyword of the instrumentation", kernel_with("", "#define if(x) while (0)"),
     Verdict::rejected, "defines the macro if"},
    {"hides an include", kernel_with("", "#/* */include <unistd.h>"), Verdict::rejected,
     "unistd.h"},
    {"includes a file", kernel_with("", "#include \"../reference.cu\""), Verdict::rejected,
     "a submission is one file"},
    {"keeps state in a variable", kernel_with("seen[0] = 1.0f;", "__device__ float seen[64];"),
     Verdict::rejected, "`seen` outlives a launch"},
    {"runs code before the kernel",
     kernel_with("", "struct Early { Early() { *(volatile int*)8 = 1; } };\nEarly early;"),
     Verdict::rejected, "`early` outlives a launch"},
    {"contains a NUL byte", kernel_with(std::string("// ") + '\0' + "asm"), Verdict::rejected,
     "NUL"},
    {"is too long", kernel_with(std::string(most_submission_bytes, ' ')), Verdict::rejected,
     "bytes"},
};

void check_cheats(const std::vector<Cheat>& cheats) {
    Limits limits;
    limits.timeout = 0.5;
    for (const Cheat& cheat : cheats) {
        INFO(cheat.name);
#if defined(__SANITIZE_ADDRESS__)
        // Sanitizers' own handlers end the process.
        if (cheat.name == "recurses without end" || cheat.name == "divides by zero") continue;
#endif
        const Grade grade = grade_of(cheat.text, limits);
        INFO(page_of(grade));
        CHECK(name(grade.verdict) == name(cheat.verdict));
        CHECK(grade.score() == 0);
        CHECK_THAT(joined(grade.to_do), contains(cheat.said));
    }
}

// Grades the solutions of these exercises, and validates the document of their scores.
void check_solutions(int first, int last) {
    std::vector<Grade> grades;
    for (int number = first; number <= last; ++number) {
        const Exercise& one = exercise(std::to_string(number));
        INFO(one.name);
        grades.push_back(Grader(one, 3, {}).grade(solution_of(one)));
        INFO(page_of(grades.back()));
        CHECK(grades.back().passed());
        CHECK(grades.back().score() == 100);
        CHECK(grades.back().to_do.empty());
        CHECK(grades.back().boards.size() == 3);
    }
    const auto document = nlohmann::json::parse(document_of(grades).dump());
    CHECK(joined(schema_violations(document, fs::path(CAMBER_SOURCE_DIR) /
                                                 "results/schema/camber-course.schema.json"))
              .empty());
}

// Part of what is left to do in each starting kernel.
const std::vector<std::string> said{
    "A global load request moves 32 sectors of 32 bytes; the goal is at most 4 (most in line "
    "15: stride of 128 bytes",
    "32 cells take 1.016 global load requests; the goal is at most 0.26",
    "Global loads move 4 times the bytes that the threads use",
    "Bank conflicts cause 15872 wavefronts of shared memory; the goal is at most 0 (most in "
    "line 22: stride of 128 bytes; pad the row by one element",
    "A cell takes 25 elements from global memory; the goal is at most 1.6 (all in line 13)",
    "Race in shared memory: store at kernel.cu:19, then load at kernel.cu:19",
    "A cell takes 5 elements from global memory; the goal is at most 1.3",
    "Launches per generation: 1; the goal is at most 0.5",
    "atomic operations on global memory; the goal is at most 0",
    "32 cells take 132 wavefronts of shared memory; the goal is at most 90",
};

void check_starts(int first, int last) {
    for (int number = first; number <= last; ++number) {
        const Exercise& one = exercise(std::to_string(number));
        INFO(one.name);
        const TestFolder folder;
        const fs::path file = folder.path() / "kernel.cu";
        write_text(file, one.start);
        const Grade grade = Grader(one, 5, {}).grade(file);
        INFO(page_of(grade));
        const bool race = one.name == "missing-barrier";
        CHECK(grade.verdict == (race ? Verdict::race : Verdict::goal_missed));
        CHECK(grade.score() == 0);
        for (const GoalResult& result : grade.goals) {
            INFO(result.goal.quantity);
            CHECK(result.reached() == result.goal.guard);
        }
        CHECK_THAT(joined(grade.to_do), contains(said.at(static_cast<std::size_t>(number) - 1)));
    }
}

}  // namespace

TEST_CASE("solutions of exercises 1 to 5 pass and conform to the schema", "[course]") {
    check_solutions(1, 5);
}

TEST_CASE("solutions of exercises 6 to 10 pass and conform to the schema", "[course]") {
    check_solutions(6, 10);
}

TEST_CASE("starting kernels 1 to 5 miss their goals, and a sentence says why", "[course]") {
    check_starts(1, 5);
}

TEST_CASE("starting kernels 6 to 10 miss their goals, and a sentence says why", "[course]") {
    check_starts(6, 10);
}

TEST_CASE("submissions with wrong results, races and endless loops are judged", "[course]") {
    check_cheats(wrong_ones);
}

TEST_CASE("submissions that crash or do not compile are judged", "[course]") {
    check_cheats(crashing_ones);
}

TEST_CASE("submissions that reach beyond their kernel are rejected", "[course]") {
    check_cheats(forbidden_ones);
}

TEST_CASE("a submission that uses up its processor time is ended", "[course][slow]") {
    Limits limits;
    limits.timeout = 100;
    limits.cpu_seconds = 2;
    const Grade grade = grade_of(kernel_with("for (;;) {}"), limits);
    CHECK(grade.verdict == Verdict::failed);
    CHECK_THAT(joined(grade.to_do), contains("used up its processor time"));
}

TEST_CASE("a confined process computes, but changes nothing", "[course]") {
    const TestFolder folder;
    const std::string file = (folder.path() / "file").string();
    const auto end_of = [&](const auto& work) {
        const pid_t child = fork();
        if (child == 0) {
            std::signal(SIGSYS, SIG_DFL);
            deny_system_calls();
            work();
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    };
    CHECK(end_of([] { std::vector<int> memory(1 << 20, 1); }) == 0);
    CHECK(end_of([] { std::thread([] {}).join(); }) == 0);
    CHECK(end_of([] { close(open("/proc/self/exe", O_RDONLY)); }) == 0);
    if (end_of([] { static_cast<void>(fork()); }) == 0)
        return skip_test("this machine has no filters of system calls");
    CHECK(end_of([] { static_cast<void>(fork()); }) == SIGSYS);
    CHECK(end_of([&] { static_cast<void>(open(file.c_str(), O_CREAT | O_WRONLY, 0600)); }) ==
          SIGSYS);
    CHECK(end_of([] {
              if (write(1, "x", 1) != 1) _exit(97);
          }) == SIGSYS);
    CHECK(end_of([] { execl("/bin/true", "true", nullptr); }) == SIGSYS);
    CHECK(end_of([] { kill(getppid(), SIGUSR2); }) == SIGSYS);
    CHECK(!fs::exists(file));
}

TEST_CASE("a seed repeats boards and cells", "[course]") {
    const Exercise& one = exercise("alignment");
    const std::vector<Trial> first = trials(one, 7);
    const std::vector<Trial> again = trials(one, 7);
    const std::vector<Trial> other = trials(one, 8);
    REQUIRE(first.size() == 3);
    CHECK(first[0].board == one.board);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(first[i].board == again[i].board);
        CHECK(first[i].seed == again[i].seed);
    }
    CHECK((first[1].board != other[1].board || first[2].board != other[2].board));
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        for (const Trial& trial : trials(exercise("sectors"), seed)) {
            CHECK(trial.board.columns % 4 == 0);
            CHECK(trial.board.columns >= 96);
            CHECK(trial.board.columns <= 300);
        }
}

}  // namespace camber::grading_test
