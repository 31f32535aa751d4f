// A captured launch as the problem of other commands: on the executor over the captured data, and with
// a fake driver.
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/capture/capture_place.hpp"

namespace camber::capture_test::problem_test {

TEST_CASE("without a GPU, candidates with source run over captured data", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const auto source = [&](const std::string& name, const std::string& condition,
                            const std::string& value, const std::string& parameters) {
        write_text(place.folder / name,
                   "__constant__ float weight[1];\n"
                   "__global__ void scale(" +
                       parameters +
                       ") {\n"
                       "    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "    if (" +
                       condition + ") out[k] = " + value +
                       ";\n"
                       "}\n");
        return name;
    };
    const std::string usual = "const float* in, float* out, int count";
    const EnvironmentVariable none("FAKE_DEVICES", "0");
    const auto tried = [&](const std::string& file, const Arguments& options = {}) {
        return place.run(with({"try", "c", "--candidate", file}, options));
    };
    const Outcome right =
        tried(source("right.cu", "k < count", "weight[0] * in[k]", usual), {"--set", "block=64"});
    CHECK(right.err == "");
    CHECK(right.exit_code == 0);
    CHECK_THAT(right.out, contains("right.cu block=64") && contains("EXACT"));
    const Outcome near =
        tried(source("near.cu", "k < count", "weight[0] * in[k] * 1.0000002f", usual));
    CHECK(near.exit_code == 0);
    CHECK_THAT(near.out, contains("within rounding: "));
    const Outcome wrong = tried(source("wrong.cu", "k < count", "in[k]", usual));
    CHECK(wrong.exit_code == 4);
    CHECK_THAT(wrong.out, contains("WRONG: ") && contains("1 instead of 2.5"));
    const Outcome outside = tried(source("outside.cu", "true", "weight[0] * in[k]", usual));
    CHECK(outside.exit_code == 4);
    CHECK_THAT(outside.out, contains("WRONG: ") && contains("of field `buffer "));
    const Outcome other = tried(source("other.cu", "k < count", "weight[0] * in[k]",
                                       "const float* in, float* out, long count"));
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.out,
               contains("OTHER PARAMETERS: 8, 8, 8 bytes; the original has 8, 8, 4 bytes"));
}

TEST_CASE("a captured launch is a problem of check, model and compare", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    REQUIRE(place.run({"capture", "--kernel", "increment", "--launch", "first,last", "--out", "i",
                       "--", built::fake_gpu_program, "increment", "increment"})
                .exit_code == 0);
    const EnvironmentVariable none("FAKE_DEVICES", "0");
    const std::string right =
        "__constant__ float weight[1];\n"
        "__global__ void scale(const float* in, float* out, int count) {\n"
        "    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (k < count) out[k] = weight[0] * in[k];\n}\n";
    write_text(place.folder / "right.cu", right);
    // Lanes read every second number.
    write_text(place.folder / "strided.cu",
               "__constant__ float weight[1];\n"
               "__global__ void scale(const float* in, float* out, int count) {\n"
               "    const int half = (count + 1) / 2, i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    const int k = i < half ? 2 * i : 2 * (i - half) + 1;\n"
               "    if (k < count && i < count + 1) out[k] = weight[0] * in[k];\n}\n");
    write_text(place.folder / "racing.cu",
               "__constant__ float weight[1];\n"
               "__global__ void scale(const float* in, float* out, int count) {\n"
               "    __shared__ float cells[128];\n"
               "    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (k >= count) return;\n"
               "    cells[127 - threadIdx.x] = 0;\n"
               "    cells[threadIdx.x] = in[k];\n"
               "    out[k] = weight[0] * cells[threadIdx.x];\n}\n");

    const Outcome tried = place.run({"try", "c", "--candidate", "right.cu"});
    CAPTURE(tried.out, tried.err);
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("EXACT") && contains("captured_scale_1/right.cu/128x1") &&
                              contains(": clean") &&
                              contains("== What launch 1 asks of memory, by the model") &&
                              contains("global loads                  94 requests"));
    const Outcome checked =
        place.run({"check", "--reference", "c", "--candidate", "right.cu", "--sweep", "block=64"});
    CAPTURE(checked.out, checked.err);
    CHECK(checked.exit_code == 0);
    CHECK_THAT(checked.out, contains("captured_scale/right.cu/64x1") && contains(": clean"));
    const Outcome racing = place.run({"check", "--reference", "c", "--candidate", "racing.cu"});
    CHECK(racing.exit_code == 4);
    CHECK_THAT(racing.out, contains("race in shared memory"));
    const Outcome modelled = place.run(
        {"model", "--reference", "c", "--candidate", "right.cu", "--candidate", "strided.cu"});
    CAPTURE(modelled.out, modelled.err);
    CHECK(modelled.exit_code == 0);
    CHECK_THAT(modelled.out, contains("right.cu/128x1") && contains("strided.cu/128x1"));

    // The gate: more traffic than before is a regression.
    write_text(place.folder / "kernel.cu", right);
    REQUIRE(place.run({"model", "--reference", "c", "--candidate", "kernel.cu", "--baseline",
                       "base.json"})
                .exit_code == 0);
    fs::copy_file(place.folder / "strided.cu", place.folder / "kernel.cu",
                  fs::copy_options::overwrite_existing);
    const Outcome gate =
        place.run({"compare", "base.json", "--reference", "c", "--candidate", "kernel.cu"});
    CAPTURE(gate.out, gate.err);
    CHECK(gate.exit_code == 1);
    CHECK_THAT(gate.out, contains("REGRESSION"));

    // A file's line names the folder; @N chooses one of several launches.
    write_text(place.folder / "add.cu",
               "// camber: reference i@2\n"
               "__global__ void increment(int* numbers, int count) {\n"
               "    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (k < count) ++numbers[k];\n}\n");
    const Outcome second = place.run({"check", "--candidate", "add.cu"});
    CAPTURE(second.out, second.err);
    CHECK_THAT(second.out + second.err, contains("captured_increment_2/add.cu/128x1"));
    const Outcome absent = place.run({"check", "--reference", "i@7", "--candidate", "add.cu"});
    CHECK(absent.exit_code == 2);
    CHECK_THAT(absent.err, contains("has no launch 7: its first one is 1"));
    const Outcome other = place.run({"check", "--reference", "c", "--candidate", "add.cu"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("has other parameters than the captured kernel"));
    const Outcome shapes =
        place.run({"check", "--reference", "c", "--shape", "u=3", "--candidate", "right.cu"});
    CHECK(shapes.exit_code == 2);
    CHECK_THAT(shapes.err, contains("u=3 is of a kernel's problem, and c is a captured launch"));
}

TEST_CASE("run and profile replay a captured launch on a GPU", "[capture]") {
    const Place place;
    REQUIRE(place.run({"capture", "--kernel", "scale", "--launch", "first,last", "--out", "c", "--",
                       built::fake_gpu_program, "scale", "scale", "scale"})
                .exit_code == 0);
    const std::string fast = place.candidate("fast");
    const Outcome run = place.run({"run", "--reference", "c@3", "--candidate", fast});
    CAPTURE(run.out, run.err);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.out, contains("== Launch 3:") && !contains("== Launch 1:") &&
                            contains("EXACT: every byte as in the program") && contains("2.00x") &&
                            contains("results: camber-results.json"));
    const Json results = results_in(place.folder / "camber-results.json");
    const std::vector<std::string> none;
    CHECK(defects(results) == none);
    CHECK(results["benchmarks"].size() == 4);
    const Outcome wrong = place.run({"run", "--reference", "c", "--candidate",
                                     place.candidate("wrong"), "--backend", "cuda", "--out", "w.json"});
    CHECK(wrong.exit_code == 4);
    CHECK_THAT(wrong.out, contains("WRONG: ") && contains("results: w.json"));

    const Outcome profile =
        place.run({"profile", "--reference", "c@3", "--candidate", fast, "--against", "original"});
    CAPTURE(profile.out, profile.err);
    CHECK(profile.exit_code == 0);
    CHECK_THAT(profile.out, contains("scale/fast.cubin") && contains("scale/original") &&
                                contains("time per launch") && !contains("== Launch"));
    const Outcome original = place.run({"profile", "--reference", "c"});
    CHECK(original.exit_code == 0);
    CHECK_THAT(original.out, contains("scale/original"));

    const auto refused = [&](const Arguments& arguments, int code, const std::string& sentence) {
        const Outcome outcome = place.run(arguments);
        CAPTURE(outcome.out);
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(sentence));
    };
    refused({"profile", "--reference", "c", "--candidate", "wrong.cubin"}, 4,
            "scale/wrong.cubin cannot be profiled: WRONG: ");
    refused({"profile", "--reference", "c", "--candidate", fast, "--candidate", "wrong.cubin"}, 2,
            "there are 2 candidates: name the one to profile");
    refused({"run", "--reference", "c", "--size", "64x64"}, 2,
            "camber run replays the captured launch c, to which --size does not apply");
    refused({"run", "--reference", "c", "--save", "x.npy"}, 2, "to which --save does not apply");
    refused({"run", "--reference", "c", "--workload", "blur"}, 2,
            "--reference c defines what is computed, and so does --workload blur");
    refused({"run", "--reference", "c@7"}, 2, "has no launch 7: its first one is 1");
    refused({"run", "--reference", "c", "--benchmark_filter=x"}, 2,
            "argument '--benchmark_filter=x' is unknown for a captured launch");
}

TEST_CASE("run verifies candidates for a captured launch without a GPU", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const EnvironmentVariable none("FAKE_DEVICES", "0");
    const auto write = [&](const std::string& name, const std::string& line,
                           const std::string& value) {
        write_text(place.folder / name,
                   line +
                       "__constant__ float weight[1];\n"
                       "__global__ void scale(const float* in, float* out, int count) {\n"
                       "    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "    if (k < count) out[k] = " +
                       value + ";\n}\n");
    };
    write("right.cu", "", "weight[0] * in[k]");
    write("wrong.cu", "", "in[k]");
    write("named.cu", "// camber: reference c\n", "weight[0] * in[k]");
    const Outcome right =
        place.run({"run", "--reference", "c", "--candidate", "right.cu", "--sweep", "block=64,128"});
    CAPTURE(right.out, right.err);
    CHECK(right.exit_code == 0);
    CHECK_THAT(right.out, contains("captured_scale/right.cu/64x1") &&
                              contains("captured_scale/right.cu/128x1"));
    const Json results = results_in(place.folder / "camber-results.json");
    const std::vector<std::string> no_defects;
    CHECK(defects(results) == no_defects);
    CHECK(results["benchmarks"][0]["camber"]["verification"]["status"] == "passed");
    const Outcome wrong = place.run({"run", "--reference", "c", "--candidate", "wrong.cu"});
    CHECK(wrong.exit_code == 4);
    const Outcome named = place.run({"run", "--candidate", "named.cu"});
    CAPTURE(named.out, named.err);
    CHECK(named.exit_code == 0);
    CHECK_THAT(named.out, contains("captured_scale/named.cu/128x1"));
    const Outcome again = place.run({"run", "--candidate", "named.cu", "--processes", "2"});
    CHECK(again.exit_code == 0);
    const Outcome without = place.run({"run", "--reference", "c"});
    CHECK(without.exit_code == 5);
    CHECK_THAT(without.err, contains("give a --candidate with source"));
    const Outcome profile = place.run({"profile", "--candidate", "named.cu"});
    CHECK(profile.exit_code == 5);
    CHECK_THAT(profile.err, contains("no GPU is here to replay the captured launch"));
}

}  // namespace camber::capture_test::problem_test
