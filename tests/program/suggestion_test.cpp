// Launch lines that `camber try` proposes run as they are.
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::suggestion_program_test {

namespace {

using namespace camber::cli_test;

// Lines for arrays in the message of a file without lines.
std::string proposed_lines(const std::string& message) {
    constexpr std::string_view mark = "`// camber: ";
    std::size_t at = message.find("or, for arrays of any shape: ");
    if (at == message.npos) at = message.find("try: ");
    std::string lines;
    while ((at = message.find(mark, at)) != message.npos) {
        const std::size_t end = message.find('`', at + 1);
        lines += message.substr(at + 1, end - at - 1) + "\n";
        at = end;
    }
    return lines;
}

}  // namespace

TEST_CASE("the examples run with the lines that are proposed for them", "[cli][portable][slow]") {
    for (const std::string name :
         {"saxpy_plain", "reduction", "stencil_plain", "histogram_plain", "spmv_plain",
          "transpose_tiled", "matmul_plain", "blur_half_plain"}) {
        const TestFolder folder;
        std::string kernel;
        for (const std::string& line :
             lines_of(text_of(source_folder / "examples/arrays" / (name + ".cu"))))
            if (!line.starts_with("// camber:")) kernel += line + "\n";
        write_text(folder / "a.cu", kernel);
        const Outcome without = run_program({"try", "a.cu"}, folder.path());
        CHECK(without.exit_code == 2);
        const std::string lines = proposed_lines(without.err);
        CAPTURE(name, lines);
        write_text(folder / "a.cu", lines + kernel);
        const Outcome tried = run_program({"try", "a.cu", "--reference", "a.cu"}, folder.path());
        CAPTURE(tried.out, tried.err);
        CHECK(tried.exit_code == 0);
        CHECK_THAT(tried.out, contains("  yes") && contains(": clean"));
    }
}

TEST_CASE("run takes a kernel as the reference", "[cli][portable]") {
    const TestFolder folder;
    const std::string examples = (source_folder / "examples/arrays").string() + "/";
    const Outcome run = run_program({"run", "--candidate", examples + "saxpy.cu", "--shape", "x=4096",
                                     "--backend", "simt", "--compare", "y=ulp:1"},
                                    folder.path());
    CAPTURE(run.out, run.err);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("own_saxpy_plain/saxpy.cu/256x1") &&
                            contains("own_saxpy_plain/saxpy_plain.cu/256x1"));
    const std::vector<std::string> none;
    CHECK(defects(results_in(folder.path() / "camber-results.json")) == none);
    const Outcome both = run_program({"run", "--workload", "blur", "--reference",
                                      examples + "saxpy_plain.cu"},
                                     folder.path());
    CHECK(both.exit_code == 2);
    CHECK_THAT(both.err, contains("defines what is computed, and so does --workload blur"));
}

}  // namespace camber::suggestion_program_test
