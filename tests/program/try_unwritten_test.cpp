// Kernels from files that leave out cells, as a user tries them.
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::try_unwritten_test {

namespace {

using namespace camber::cli_test;

// A copy of each cell for which `condition` holds.
std::string kernel(const std::string& type, const std::string& condition) {
    return "// camber: copy(in, out, columns, rows, pitch) block=32x8\n"
           "__global__ void copy(const " +
           type + "* in, " + type +
           "* out, int columns, int rows, int pitch) {\n"
           "    const int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "    const int y = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "    if (x < columns && y < rows && " +
           condition + ") out[y * pitch + x] = in[y * pitch + x];\n}\n";
}

}  // namespace

TEST_CASE("a kernel that skips cells fails where the reference writes 0", "[cli][try][unwritten]") {
    for (const std::string type : {"float", "double", "int", "unsigned char"})
        for (const std::string condition : {"x % 2 == 0", "x < 0"}) {
            CAPTURE(type, condition);
            const TemporaryFolder folder;
            write_text(folder.path() / "whole.cu", kernel(type, "true"));
            write_text(folder.path() / "part.cu", kernel(type, condition));
            const Outcome outcome =
                run_program({"try", "part.cu", "--reference", "whole.cu", "--fill", "zeros",
                             "--size", "40x30"},
                            folder.path());
            CHECK(outcome.exit_code == 4);
            const std::string column = condition == "x < 0" ? "0" : "1";
            CHECK_THAT(outcome.out + outcome.err,
                       contains("the first is row 0, column " + column +
                                " of `cells`: expected 0, but the kernel never wrote this cell"));
        }
}

TEST_CASE("a reference that leaves out cells defines no problem", "[cli][try][unwritten]") {
    for (const std::string type : {"float", "unsigned char"}) {
        CAPTURE(type);
        const TemporaryFolder folder;
        write_text(folder.path() / "empty.cu", kernel(type, "x < 0"));
        const Outcome outcome = run_program(
            {"try", "empty.cu", "--reference", "empty.cu", "--size", "40x30"}, folder.path());
        CHECK(outcome.exit_code == 2);
        CHECK_THAT(outcome.err,
                   contains("empty.cu never writes 1200 of 1200 cells of cells, the first of them "
                            "in row 0, column 0, so nothing says what is right there"));
    }
}

TEST_CASE("the race check names outputs that no kernel wrote", "[cli][check][unwritten]") {
    const TemporaryFolder folder;
    std::string text = kernel("float", "x != 3");
    write_text(folder.path() / "part.cu", text);
    const Outcome outcome =
        run_program({"check", "--candidate", "part.cu", "--workload", "blur", "--size", "40x30",
                     "--generations", "1", "--examples", "1"},
                    folder.path());
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.out, contains("output that no kernel wrote, 30 times: field `image`") &&
                                contains("after generation 1: row 0, column 3 of field `image`"));
}

}  // namespace camber::try_unwritten_test
