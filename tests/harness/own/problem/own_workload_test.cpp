// Workloads defined by a user's own kernel.
#include "harness/own/problem/own_workload.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/own/problem/npy_file.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "tests/harness/own/candidate_files.hpp"

namespace camber::own_workload_test {
namespace {

const std::string add_text =
    "// camber: add(in.a, in.b, out.sum, columns, rows, pitch.a) block=32x4\n"
    "__global__ void add(const float* a, const int* b, double* sum, int columns, int rows,\n"
    "                    int pitch) {\n"
    "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "    if (x < columns && y < rows) sum[y * columns + x] = a[y * pitch + x] + b[y * pitch + x];\n"
    "}\n";

OwnProblem problem_of(const KernelText& file) {
    OwnProblem problem;
    problem.reference = file.path();
    problem.options = uncached();
    return problem;
}

std::string rejected(const OwnProblem& problem) {
    try {
        OwnWorkload::make(problem);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        return error.what();
    }
    return "";
}

std::string rejected(const std::string& text) {
    const KernelText file(text);
    return rejected(problem_of(file));
}

}  // namespace

TEST_CASE("a kernel's arguments are the fields of its problem", "[candidate][own]") {
    const KernelText file(add_text, "my add.cu");
    const auto workload = OwnWorkload::make(problem_of(file));
    CHECK(workload->name() == "own_my_add");
    const std::vector<BoardField> fields = board_fields(*workload, ElementType::float32);
    REQUIRE(fields.size() == 3);
    CHECK(fields[0].name == "a");
    CHECK(fields[0].element == ElementType::float32);
    CHECK((fields[0].read && !fields[0].written));
    CHECK(fields[1].element == ElementType::int32);
    CHECK(fields[2].name == "sum");
    CHECK(fields[2].element == ElementType::float64);
    CHECK((!fields[2].read && fields[2].written));
    CHECK(workload->writes("sum"));
    CHECK_FALSE(workload->writes("a"));
    CHECK(workload->facts().moved.bytes(ElementType::float32) == 16);
    CHECK_FALSE(workload->size().has_value());
}

TEST_CASE("a generation is what the kernel computes", "[candidate][own]") {
    const KernelText file(add_text);
    const auto workload = OwnWorkload::make(problem_of(file));
    const InitialConditions conditions{.size = {37, 5}, .cell = ElementType::float32, .seed = 4};
    const State from = workload->initial(conditions);
    State to = from;
    workload->generation(from, to, {.threads = 1});
    const auto a = from.field("a").cells<float>();
    const auto b = from.field("b").cells<std::int32_t>();
    const auto sum = to.field("sum").cells<double>();
    double total = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
        CHECK(sum[i] == a[i] + static_cast<float>(b[i]));
        CHECK((a[i] >= 0 && a[i] < 1 && b[i] >= 0 && b[i] < 256));
        total += sum[i];
    }
    CHECK(a[0] != a[1]);
    const FinalState final = workload->final_state(to);
    CHECK(final.quantity == "mass");
    CHECK(final.amount == Approx(total));
    // Equal seeds give equal cells, other seeds others.
    CHECK(std::ranges::equal(workload->initial(conditions).field("a").bytes(),
                             from.field("a").bytes()));
    InitialConditions other = conditions;
    other.seed = 5;
    CHECK_FALSE(
        std::ranges::equal(workload->initial(other).field("a").bytes(), from.field("a").bytes()));
}

TEST_CASE("arrays are the initial state, repeated on larger boards", "[candidate][own]") {
    const KernelText file(add_text);
    const TemporaryFolder folder("test arrays");
    HostField a("a", ElementType::float32, {3, 2});
    HostField b("b", ElementType::int32, {3, 2});
    for (int i = 0; i < 6; ++i) {
        a.cells<float>()[static_cast<std::size_t>(i)] = 0.5f * static_cast<float>(i);
        b.cells<std::int32_t>()[static_cast<std::size_t>(i)] = 10 * i;
    }
    const std::string a_file = (folder.path() / "a.npy").string();
    const std::string b_file = (folder.path() / "b.npy").string();
    write_npy(a_file, a);
    write_npy(b_file, b);
    OwnProblem problem = problem_of(file);
    problem.inputs = {a_file, b_file};
    const auto workload = OwnWorkload::make(problem);
    CHECK(workload->size() == Size{3, 2});
    const State same = workload->initial({.size = {3, 2}});
    CHECK(std::ranges::equal(same.field("a").bytes(), a.bytes()));
    CHECK(std::ranges::equal(same.field("b").bytes(), b.bytes()));
    const State large = workload->initial({.size = {4, 5}});
    CHECK(large.field("a").cells<float>()[3] == 0);             // row 0: 0 0.5 1 0
    CHECK(large.field("a").cells<float>()[2 * 4 + 1] == 0.5f);  // row 2 repeats row 0
    CHECK(large.field("b").cells<std::int32_t>()[1 * 4 + 3] == 30);

    // Inputs by name, for only some fields.
    problem.inputs = {"b=" + b_file};
    problem.fill = OwnProblem::Fill::zeros;
    const State named = OwnWorkload::make(problem)->initial({.size = {3, 2}});
    CHECK(std::ranges::equal(named.field("b").bytes(), b.bytes()));
    for (const float value : named.field("a").cells<float>()) CHECK(value == 0);

    // The result is saved to a file.
    State result = same;
    workload->generation(same, result, {.threads = 1});
    const auto out = folder.path() / "sum.npy";
    workload->save(result, out, {});
    const HostField read = read_npy(out, "sum");
    CHECK(read.element() == ElementType::float64);
    CHECK(read.cells<double>()[5] == 52.5);

    problem.inputs = {a_file, a_file};
    CHECK_THAT(rejected(problem), contains("has elements of float32, and b of") &&
                                      contains("has cells of int32: save it with "
                                               "array.astype('int32')"));
    problem.inputs = {a_file, "a=" + a_file};
    CHECK_THAT(rejected(problem), contains("--input gives a twice"));
    problem.inputs = {a_file, b_file, b_file};
    CHECK_THAT(rejected(problem), contains("is one file too many") && contains("reads a, b"));
    write_npy(b_file, HostField("b", ElementType::int32, {2, 2}));
    problem.inputs = {a_file, b_file};
    CHECK_THAT(rejected(problem),
               contains("has 2 rows of 2 cells, and the first input has 2 of 3"));
}

TEST_CASE("how far a cell may be off depends on its type", "[candidate][own]") {
    const KernelText file(add_text);
    OwnProblem problem = problem_of(file);
    CHECK(OwnWorkload::make(problem)->tolerance({.generations = 2}).relative == Approx(2e-5));
    problem.tolerance = 0.25;
    CHECK(OwnWorkload::make(problem)->tolerance({.generations = 2}).absolute == 0.25);
    const KernelText whole(
        "// camber: copy(in, out) block=32x1\n"
        "__global__ void copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }\n");
    CHECK(OwnWorkload::make(problem_of(whole))->tolerance({}).absolute < 1);
    CHECK(board_fields(*OwnWorkload::make(problem_of(whole)), ElementType::int32).size() == 1);
}

TEST_CASE("what defines no problem is named", "[candidate][own]") {
    CHECK_THAT(rejected("// camber: f(in, columns) block=32x1\n"
                        "__global__ void f(const float* in, int columns) {}\n"),
               contains("writes no field, so there is nothing to compare"));
    CHECK_THAT(rejected("// camber: f(in, out) block=32x1\n"
                        "__global__ void f(const float4* in, float4* out) { out[0] = in[0]; }\n"),
               contains(".cu:1: the type of in's cells is not known"));
    CHECK_THAT(rejected("// camber: f(in, out) block=32x1\n"
                        "__global__ void f(const float* in, double* out) { out[0] = in[0]; }\n"),
               contains(".cu:1: out has cells of float64, and elsewhere they are float32"));
    CHECK_THAT(rejected("// camber: f(in, out) block=32x1 generations=2\n"
                        "__global__ void f(const float* in, float* out) { out[0] = in[0]; }\n"),
               contains("computes 2 generations in a launch, and a reference computes one"));
}

TEST_CASE("cells that a reference leaves out are named", "[candidate][own]") {
    const auto left_out = [](const std::string& type, const std::string& statement) {
        const KernelText file(
            "// camber: f(in, out, columns, rows, pitch) block=32x4\n"
            "__global__ void f(const " +
            type + "* in, " + type +
            "* out, int columns, int rows, int pitch) {\n"
            "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
            "    const int i = y * pitch + x;\n"
            "    if (x < columns && y < rows) " +
            statement + ";\n}\n");
        const auto workload = OwnWorkload::make(problem_of(file));
        const State from = workload->initial({.size = {37, 5}, .seed = 4});
        State to = from;
        try {
            workload->generation(from, to, {.threads = 1});
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::usage);
            return std::string(error.what());
        }
        return std::string();
    };
    for (const std::string type : {"float", "unsigned char"}) {
        CAPTURE(type);
        CHECK(left_out(type, "out[i] = 0") == "");
        CHECK_THAT(left_out(type, "if (x > 1 || y > 0) out[i] = 0"),
                   contains("never writes 2 of 185 cells of cells, the first of them in row 0, "
                            "column 0, so nothing says what is right there"));
        CHECK_THAT(left_out(type, "(void)in"), contains("never writes 185 of 185 cells"));
    }
    // Correct values that equal the poison pattern.
    CHECK(left_out("unsigned char", "out[i] = 0xa5") == "");
    CHECK(left_out("int", "out[i] = 0x5a5a5a5a") == "");
}

TEST_CASE("a candidate that skips cells fails where the reference writes 0", "[candidate][own]") {
    // Kernel that copies the cells for which the condition is true.
    const auto copy = [](const std::string& type, const std::string& condition) {
        return "// camber: copy(in, out, columns, rows, pitch) block=32x4\n"
               "__global__ void copy(const " +
               type + "* in, " + type +
               "* out, int columns, int rows, int pitch) {\n"
               "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
               "    if (x < columns && y < rows && " +
               condition + ") out[y * pitch + x] = in[y * pitch + x];\n}\n";
    };
    constexpr Size size{37, 5};
    for (const std::string type : {"float", "unsigned char"}) {
        const KernelText whole(copy(type, "true"));
        OwnProblem problem = problem_of(whole);
        problem.fill = OwnProblem::Fill::zeros;
        const auto workload = OwnWorkload::make(problem);
        const ElementType cell = workload->facts().cell_types.front();
        Study study;
        study.workload = workload.get();
        study.problem = {size, Boundary::dead, cell, ParameterSet(workload->facts().parameters)};
        study.initial = {.size = size, .cell = cell};
        study.backend = Backend::simt;
        study.time = false;
        study.cpu_threads = 1;
        study.generations = 1;
        CaseRunner runner(study);
        for (const std::string condition : {"true", "x % 2 == 0", "x < 0"}) {
            CAPTURE(type, condition);
            // A runner verifies each name only once.
            const KernelText part(
                copy(type, condition),
                condition.substr(0, 1) + std::to_string(condition.size()) + ".cu");
            const Variant variant = candidate_variant(part.path(), *workload, cell, uncached());
            const CaseResult result = runner.run(variant);
            const CheckResult checked =
                check_variant(variant, study.problem, runner.initial(), 1, 1);
            if (condition == "true") {
                CHECK(result.record.status == results::Status::ok);
                CHECK(checked.clean());
                continue;
            }
            CHECK(result.record.status == results::Status::failed);
            const bool is_empty = condition == "x < 0";
            CHECK_THAT(result.record.reason,
                       contains(fmt::format("the first is row 0, column {} of `cells`: expected 0, "
                                            "but the kernel never wrote this cell",
                                            is_empty ? 0 : 1)));
            REQUIRE(checked.findings.size() == 1);
            CHECK(checked.findings[0].kind == FindingKind::unwritten_output);
            CHECK(checked.findings[0].count == (is_empty ? 37u * 5 : 18u * 5));
        }
    }
}

}  // namespace camber::own_workload_test
