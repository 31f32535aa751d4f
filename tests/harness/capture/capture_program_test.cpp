// `camber capture` and `camber try FOLDER` on a program with a fake driver, as a user runs them.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/harness/capture/fake_cubin.hpp"
#include "tests/harness/capture/fake_paths.hpp"
#include "tests/program/program.hpp"

namespace camber::capture_test::program_test {

namespace {

using namespace cli_test;

const std::string driver_folder = fs::path(built::fake_driver).parent_path().string();

// A folder in which programs find the fake driver.
struct Place {
    TestFolder folder;
    EnvironmentVariable libraries{"LD_LIBRARY_PATH", driver_folder};

    Outcome run(const Arguments& arguments) const { return run_program(arguments, folder.path()); }
    Outcome list(const Arguments& launches) const {
        return run(with({"capture", "--list", "--", built::fake_gpu_program}, launches));
    }
    // Captures into the folder "c".
    Outcome capture(const std::string& kernel, const Arguments& launches,
                    const Arguments& options = {}) const {
        Arguments arguments{"capture", "--kernel", kernel, "--out", "c"};
        arguments = with(arguments, options);
        return run(with(with(arguments, {"--", built::fake_gpu_program}), launches));
    }
    Json index() const { return Json::parse(text_of(folder / "c/launch.json")); }
    // Writes a compiled candidate with this kernel.
    std::string candidate(const std::string& kernel, bool with_variable = true) const {
        const std::string name = kernel + ".cubin";
        std::ofstream file(folder / name, std::ios::binary);
        if (with_variable)
            file << fake_cubin({kernel}, {{"weight", std::string(4, '\0')}});
        else
            file << fake_cubin({kernel});
        return name;
    }
};

bool has_files(const fs::path& folder) {
    return fs::exists(folder) && !fs::is_empty(folder);
}

}  // namespace

TEST_CASE("capture --list ranks a program's kernels", "[capture]") {
    const Place place;
    const Outcome listed = place.list({"scale", "increment", "scale", "increment", "increment"});
    CHECK(listed.err == "");
    REQUIRE(listed.exit_code == 0);
    CHECK_THAT(listed.out, contains("the program's own output"));
    CHECK_THAT(listed.out, contains("scale(float const*, float*, int)"));
    CHECK_THAT(listed.out, contains("24 x 128"));
    CHECK_THAT(listed.out, contains("69.0 %         2  10.00 us"));
    CHECK_THAT(listed.out, contains("31.0 %         3   3.00 us"));
    CHECK_THAT(listed.out, contains("5 launches of 2 kernels took 0.029 ms"));
    const Outcome json = place.run(
        {"capture", "--list", "--format", "json", "--", built::fake_gpu_program, "increment"});
    const Json kernels = Json::parse(json.out.substr(json.out.find('{')));
    CHECK(kernels["kernels"][0]["name"] == "increment");
    CHECK(kernels["kernels"][0]["shapes"][0]["block"][0] == 128);
}

TEST_CASE("a launch is captured, replayed bit for bit, and improved", "[capture]") {
    const Place place;
    const Outcome captured = place.capture("scale", {"increment", "scale", "scale", "exit=3"});
    REQUIRE(captured.exit_code == 0);
    CHECK_THAT(captured.err, contains("the program ended with exit code 3"));
    CHECK_THAT(captured.out, contains("launch  number 1, grid 24, block 128"));
    CHECK_THAT(captured.out, contains("10.00 us in the program, median of 1 other launches"));
    struct stat status {};
    REQUIRE(stat((place.folder / "c").c_str(), &status) == 0);
    CHECK((status.st_mode & 0777) == 0700);
    const Json index = place.index();
    CHECK(index["kernel"] == "_Z5scalePKfPfi");
    CHECK(index["launches"][0]["buffers"].size() == 3);

    const Outcome tried =
        place.run({"try", "c", "--candidate", place.candidate("fast"), "--candidate",
                   place.candidate("wrong"), "--candidate", place.candidate("near"), "--candidate",
                   place.candidate("lazy"), "--candidate", place.candidate("skipping")});
    CHECK(tried.err == "");
    CHECK(tried.exit_code == 4);
    for (const char* expected :
         {"== scale(float const*, float*, int) of ", "every byte equals the program's result",
          "all addresses are the old ones, 0 addresses", "3 replays gave the same bytes",
          "fast.cubin", "EXACT: every byte as in the program",
          "WRONG: ", "first in buffer 2 at byte 1", "== Times of launch 1 by CUPTI", "2.00x"})
        if (std::string(expected).find("0 addresses") == std::string::npos)
            CHECK_THAT(tried.out, contains(expected));
    const std::vector<std::string> lines = lines_of(tried.out);
    const auto line_with = [&](const std::string& text) {
        const auto found = std::ranges::find_if(
            lines, [&](const std::string& line) { return line.find(text) != line.npos; });
        return found != lines.end() ? *found : std::string();
    };
    CHECK_THAT(line_with("  output"), contains("12000"));
    CHECK_THAT(line_with("variable weight"), contains("input"));
    CHECK_THAT(line_with("lazy.cubin"), contains("WRONG: 11992 bytes differ, first in buffer"));
    CHECK_THAT(tried.out, contains("which was not written"));
    CHECK_THAT(line_with("skipping.cubin"), contains("WRONG: 8 bytes differ, first in buffer"));
    CHECK_THAT(line_with("near.cubin"), contains("WRONG: "));
    // Candidates that fail are not timed.
    CHECK_THAT(tried.out.substr(tried.out.find("== Times")),
               !contains("wrong.cubin") && contains("fast.cubin"));

    const Outcome tolerant =
        place.run({"try", "c", "--candidate", place.candidate("near"), "--tolerance", "1e-4"});
    CHECK(tolerant.exit_code == 0);
    CHECK_THAT(tolerant.out, contains("within tolerance: "));
}

TEST_CASE("results of a captured launch are compared and reported like others", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const Outcome tried = place.run({"try", "c", "--candidate", place.candidate("fast"),
                                     "--candidate", place.candidate("wrong"), "--out", "one.json"});
    CHECK(tried.exit_code == 4);
    CHECK_THAT(tried.out, contains("results: one.json"));
    const Json results = results_in(place.folder / "one.json");
    const std::vector<std::string> none;
    CHECK(defects(results) == none);
    REQUIRE(results["benchmarks"].size() == 5);
    CHECK(results["benchmarks"][0]["name"] == "scale/original/launch1/3072x1/uint8/cuda");
    CHECK(results["benchmarks"][2]["camber"]["derived"]["speedup_vs_baseline"] == 2.0);
    CHECK(results["benchmarks"][4]["camber"]["verification"]["status"] == "failed");
    const Outcome right = place.run({"try", "c", "--candidate", "fast.cubin", "--out", "two.json"});
    CHECK(right.exit_code == 0);
    const Outcome compared = place.run({"compare", "two.json", "two.json"});
    CHECK(compared.exit_code == 0);
    CHECK_THAT(compared.out, contains("4 SAME"));
    const Outcome report = place.run({"report", "two.json", "--format", "markdown"});
    CHECK(report.exit_code == 0);
    CHECK_THAT(report.out, contains("| fast.cubin | 5.00 us |"));
}

TEST_CASE("without hardware counters, the page says why and continues", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const Outcome tried = place.run({"try", "c", "--candidate", place.candidate("fast"),
                                     "--counters", "memory", "--out", "one.json"});
    CAPTURE(tried.out, tried.err);
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("== Counters of launch 1") && contains("not read: ") &&
                              contains("results: one.json"));
    const std::vector<std::string> none;
    CHECK(defects(results_in(place.folder / "one.json")) == none);
    const Outcome profile =
        place.run({"profile", "scale/fast.cubin", "--from", "one.json"});
    CHECK(profile.exit_code == 0);
    CHECK_THAT(profile.out, contains("time per launch"));
}

TEST_CASE("memory that was written before is still known as an output", "[capture]") {
    // The second launch writes the bytes of the first again.
    const Place place;
    REQUIRE(place.capture("scale", {"scale", "scale"}, {"--launch", "2"}).exit_code == 0);
    for (const Json& buffer : place.index()["launches"][0]["buffers"])
        CHECK(!buffer.contains("changed"));
    const Outcome tried = place.run({"try", "c", "--candidate", place.candidate("lazy")});
    CHECK(tried.exit_code == 4);
    CHECK_THAT(tried.out, contains("  output    12000"));
    CHECK_THAT(tried.out, contains("WRONG"));
}

TEST_CASE("addresses that are taken are patched", "[capture]") {
    const Place place;
    REQUIRE(place.capture("set_all", {"set_all"}).exit_code == 0);
    const EnvironmentVariable miss("FAKE_MISS", "1");
    const Outcome tried = place.run({"try", "c"});
    CHECK(tried.err == "");
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("every byte equals the program's result; 3 allocations are at "
                                   "new addresses, 3 pointers are patched"));
}

TEST_CASE("inputs are told from outputs although poison crashes the kernel", "[capture]") {
    const Place place;
    REQUIRE(place.capture("gather", {"gather"}).exit_code == 0);
    const Outcome tried = place.run({"try", "c"});
    CHECK(tried.err == "");
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("every byte equals"));
    CHECK_THAT(tried.out, contains("output    12000"));
    std::size_t inputs = 0;
    for (const std::string& line : lines_of(tried.out))
        if (line.find(" input ") != line.npos && line.find("device") != line.npos) ++inputs;
    CHECK(inputs == 2);
}

TEST_CASE("several launches of a kernel are one problem", "[capture]") {
    const Place place;
    const Arguments launches{"increment", "increment", "increment"};
    const Outcome captured = place.capture("increment", launches, {"--launch", "first,last"});
    REQUIRE(captured.exit_code == 0);
    CHECK_THAT(captured.err, contains("the program runs twice"));
    CHECK(place.index()["launches"].size() == 2);
    CHECK(place.index()["launches"][1]["number"] == 3);
    const Outcome tried = place.run({"try", "c"});
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("== Launch 1:"));
    CHECK_THAT(tried.out, contains("== Launch 3:"));
    CHECK_THAT(tried.out, contains("in place"));
}

TEST_CASE("a kernel that is not deterministic has a tolerance", "[capture]") {
    const Place place;
    REQUIRE(place.capture("sum", {"sum"}).exit_code == 0);
    const Outcome tried = place.run({"try", "c"});
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("as replays differ from each other"));
    CHECK_THAT(tried.out, contains("the kernel is not deterministic: buffer "));
    CHECK_THAT(tried.out, contains(" varies by up to 0.00"));
}

TEST_CASE("candidates that crash or have other parameters do not end the session", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const Outcome tried = place.run(
        {"try", "c", "--candidate", place.candidate("crashing"), "--candidate",
         place.candidate("ending"), "--candidate", place.candidate("other"), "--candidate",
         place.candidate("endless"), "--candidate", place.candidate("fast"), "--timeout", "2"});
    CHECK(tried.exit_code == 4);
    for (const char* expected :
         {"CRASHED: the driver failed while running the kernel: CUDA_ERROR_ILLEGAL_ADDRESS (700)",
          "CRASHED: the process ended by signal 11",
          "OTHER PARAMETERS: 8, 8, 8 bytes; the original has 8, 8, 4 bytes",
          "CRASHED: running the candidate did not end within 2 s", "EXACT", "2.00x"}) {
        std::string flat = tried.out;
        CHECK_THAT(flat, contains(expected));
    }
    const Outcome layout = place.run({"try", "c", "--candidate", place.candidate("other")});
    CHECK(layout.exit_code == 2);
}

TEST_CASE("what cannot be captured is said in a sentence", "[capture]") {
    const Place place;
    const auto refused = [&](const Outcome& outcome, int code, const std::string& sentence) {
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(sentence));
        CHECK(!has_files(place.folder / "c"));
    };
    refused(place.capture("nothing_like_it", {"scale", "increment"}), 2,
            "no launched kernel is 'nothing_like_it'; launched were");
    refused(place.capture("scale", {"scale"}, {"--launch", "2"}), 2,
            "was launched 1 times, so there is no launch 2");
    refused(place.capture("scale", {"graph"}), 5,
            "launched 1 times into a graph that was being recorded");
    refused(place.capture("nccl", {"nccl"}), 5, "waits for kernels of other processes");
    refused(place.capture("scale", {"scale"}, {"--limit", "1K"}), 5, "above the limit of 0.0 MB");
    refused(place.capture("(", {"scale"}), 2, "no extended regular expression");
    refused(place.capture("scale", {"scale"}, {"--launch", "0"}), 2, "--launch is '0'");
    refused(place.capture("scale", {"scale"}, {"--limit", "much"}), 2, "--limit is 'much'");
    refused(place.run({"capture", "--kernel", "x", "--out", "c"}), 2, "a program is required");
    refused(place.run({"capture", "--kernel", "x", "--out", "c", "--", "./absent"}), 2,
            "'./absent' cannot be started");
    refused(place.run({"capture", "--kernel", "x", "--out", "c", "--", "true"}), 5,
            "'true' did not use a GPU");
    {
        const EnvironmentVariable taken("FAKE_CUPTI_TAKEN", "1");
        refused(place.capture("scale", {"scale"}), 5, "another tool uses CUPTI");
        refused(place.list({"scale"}), 5, "another tool uses CUPTI");
    }
    {
        const EnvironmentVariable old("FAKE_DRIVER_VERSION", "12020");
        refused(place.capture("scale", {"scale"}), 5,
                "the GPU driver supports CUDA 12.2, and captures need 12.4");
    }
    {
        const EnvironmentVariable preload("LD_PRELOAD", built::fake_driver);
        const EnvironmentVariable disk("FAKE_FREE_BYTES", "1000");
        refused(place.capture("scale", {"scale"}), 5, "where 0.0 MB are free");
    }
    fs::create_directory(place.folder / "full");
    write_text(place.folder / "full/file", "");
    refused(place.run({"capture", "--kernel", "scale", "--out", "full", "--",
                       built::fake_gpu_program, "scale"}),
            5, "exists and is not empty");
}

TEST_CASE("what cannot be tried is said in a sentence", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const auto refused = [&](const Arguments& arguments, int code, const std::string& sentence) {
        const Outcome outcome = place.run(arguments);
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(sentence));
    };
    refused({"try", "c", "--device", "1"}, 5, "--device 1 is not here");
    refused({"try", "c", "--sweep", "block=32"}, 2, "--sweep and --set change candidates");
    refused({"try", "c", "--candidate", "absent.cubin"}, 2, "absent.cubin");
    refused({"try", "x.cu", "--candidate", "y.cu"}, 2, "--candidate belongs to a captured launch");
    refused({"try", "c", "--watch"}, 2, "--watch needs a --candidate");
    fs::create_directory(place.folder / "empty");
    refused({"try", "empty"}, 2, "has no file launch.json");
    {
        const EnvironmentVariable nowhere("LD_LIBRARY_PATH", nullptr);
        if (!fs::exists("/dev/nvidia0"))
            refused({"try", "c"}, 5, "no GPU is here to replay the captured launch");
    }
}

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

TEST_CASE("compute-sanitizer checks a replay on request", "[capture]") {
    const Place place;
    REQUIRE(place.capture("set_all", {"set_all"}).exit_code == 0);
    // A tool that runs the program and reports an error.
    fs::create_directories(place.folder / "toolkit/bin");
    const fs::path tool = place.folder / "toolkit/bin/compute-sanitizer";
    write_text(tool,
               "#!/bin/sh\n"
               "log=$4; shift 4; \"$@\" || exit 7\n"
               "cat > $log <<'END'\n"
               "========= COMPUTE-SANITIZER\n"
               "========= Invalid __global__ read of size 4 bytes\n"
               "=========     at set_all+0x70 in a.cu:7\n"
               "=========     by thread (1,0,0) in block (0,0,0)\n"
               "=========     Address 0x20 is out of bounds\n"
               "========= ERROR SUMMARY: 12 errors\n"
               "END\n");
    fs::permissions(tool, fs::perms::owner_all);
    {
        const EnvironmentVariable toolkit("CUDA_HOME", (place.folder / "toolkit").string());
        const EnvironmentVariable path("PATH", "/usr/bin:/bin");
        const Outcome tried = place.run({"try", "c", "--memcheck"});
        CHECK(tried.err == "");
        CHECK(tried.exit_code == 0);
        CHECK_THAT(tried.out,
                   contains("12 errors: Invalid __global__ read of size 4 bytes; at set_all+0x70 "
                            "in a.cu:7; by thread (1,0,0) in block (0,0,0)"));
    }
    const Outcome other = place.run({"try", "x.cu", "--memcheck"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, contains("--memcheck belongs to a captured launch"));
}

TEST_CASE("blocks of a candidate cover the captured threads", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const Outcome tried =
        place.run({"try", "c", "--candidate", place.candidate("fast"), "--sweep", "block=64,32x4"});
    CHECK(tried.exit_code == 0);
    CHECK_THAT(tried.out, contains("fast.cubin block=64"));
    CHECK_THAT(tried.out, contains("fast.cubin block=32x4"));
}

}  // namespace camber::capture_test::program_test
