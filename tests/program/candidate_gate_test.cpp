// Kernels from files in continuous integration: their memory traffic is checked without a GPU.
#include <filesystem>
#include <string>

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::candidate_gate_test {

namespace {

using namespace camber::cli_test;

const std::string kernels = (source_folder / "tests/harness/own/kernels").string() + "/";
const std::string examples = (source_folder / "examples/kernels").string() + "/";

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

}  // namespace

TEST_CASE("a change of a kernel's traffic is gated without a GPU", "[cli][portable][try]") {
    const TestFolder folder;
    const std::string text = text_of(examples + "blur_float4.cu");
    write_text(folder.path() / "blur.cu", text);
    const auto model = [&](const std::string& file) {
        const Outcome outcome = camber_in(folder, {"model", "--workload", "blur", "--candidate",
                                                   "blur.cu", "--size", "256x64", "--json", file});
        CHECK(outcome.exit_code == 0);
    };
    model("base.json");
    model("same.json");
    CHECK(camber_in(folder, {"compare", "base.json", "same.json"}).exit_code == 0);
    // One load too many.
    std::string worse = text;
    const std::string load = "const float cells[6] = {first[-1], ";
    worse.replace(worse.find(load), load.size(),
                  "const float cells[6] = {first[4] * 0 + first[-1], ");
    write_text(folder.path() / "blur.cu", worse);
    model("worse.json");
    const Outcome compared = camber_in(folder, {"compare", "base.json", "worse.json"});
    CHECK(compared.exit_code == 1);
    CHECK_THAT(compared.out, contains("blur.cu"));
}

TEST_CASE("a folder of kernels is modelled into a baseline, and gated", "[cli][portable][try]") {
    const TestFolder folder;
    const fs::path own = folder.path() / "own kernels";
    fs::create_directory(own);
    const auto said = [](const std::string& workload, const std::string& text) {
        return "// camber: workload " + workload + "\n" + text;
    };
    const std::string rows = said("blur", text_of(examples + "blur_rows.cu"));
    write_text(own / "rows.cu", rows);
    write_text(own / "columns.cu", said("blur", text_of(examples + "blur_columns.cu")));
    write_text(own / "step.cu", text_of(kernels + "halo.cu"));  // life is the default workload
    write_text(own / "notes.txt", "not a kernel");
    const auto baseline = [&](const std::string& file) {
        const Outcome outcome =
            camber_in(folder, {"model", "--baseline", file, "--candidate", "own kernels"});
        CHECK(outcome.err.empty());
        CHECK(outcome.exit_code == 0);
    };
    baseline("base.json");
    const Json base = results_in(folder.path() / "base.json");
    // The row kernel's blocks divide none of the default boards.
    CHECK(base.at("models").size() == 2 + 1 + 2);
    const std::string all = base.dump();
    CHECK_THAT(all, contains("blur/rows.cu/32x4/128x16/align128") &&
                        contains("blur/columns.cu/32x4/32x16/align128") &&
                        contains("life/step.cu/32x8/align128"));
    baseline("same.json");
    CHECK(camber_in(folder, {"compare", "base.json", "same.json"}).exit_code == 0);
    std::string worse = rows;
    const std::string load = "const float beyond = first[";
    worse.replace(worse.find(load), load.size(), "const float beyond = 0 * first[2] + first[");
    write_text(own / "rows.cu", worse);
    baseline("worse.json");
    const Outcome compared = camber_in(folder, {"compare", "base.json", "worse.json"});
    CHECK(compared.exit_code == 1);
    CHECK_THAT(compared.out, contains("rows.cu"));
    // The same check with a single command.
    const Arguments gate{"compare", "base.json", "--candidate", "own kernels"};
    const Outcome gated = camber_in(folder, gate);
    CHECK(gated.err.empty());
    CHECK(gated.exit_code == 1);
    CHECK_THAT(gated.out, contains("own kernels") && contains("rows.cu"));
    write_text(own / "rows.cu", rows);
    CHECK(camber_in(folder, gate).exit_code == 0);
    const auto rejected = [&](const Arguments& arguments) {
        const Outcome outcome = camber_in(folder, arguments);
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    CHECK_THAT(rejected({"compare", "base.json", "worse.json", "--candidate", "own kernels"}),
               contains("with --candidate compare takes one results file, BASE, and 2 are given"));
    CHECK_THAT(rejected(with(gate, {"--self"})), contains("--self compares files with themselves"));
    CHECK_THAT(rejected({"compare", "base.json", "worse.json", "--sweep", "ROWS=1"}),
               contains("name one with --candidate"));

    fs::remove(own / "rows.cu");
    fs::remove(own / "columns.cu");
    fs::remove(own / "step.cu");
    const Outcome empty =
        camber_in(folder, {"model", "--baseline", "b.json", "--candidate", "own kernels"});
    CHECK(empty.exit_code == 2);
    CHECK_THAT(empty.err, contains("the folder own kernels has no file that ends with .cu"));
}

}  // namespace camber::candidate_gate_test
