// `camber try FOLDER` on a captured launch with a fake driver, as a user runs it.
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/capture/capture_place.hpp"

namespace camber::capture_test::replay_test {

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
         {"== scale(float const*, float*, int) of ", "its machine code runs with your rights",
          "every byte equals the program's result",
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
    const Json index = place.index();
    for (const Json& buffer : index["launches"][0]["buffers"])
        CHECK(!buffer.contains("after"));
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
    const EnvironmentVariable signals("ASAN_OPTIONS", "handle_segv=0");
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
        const EnvironmentVariable old("FAKE_DRIVER_VERSION", "12020");
        refused({"try", "c"}, 5, "the GPU driver supports CUDA 12.2, and captures need 12.4");
        refused({"run", "--reference", "c"}, 5, "the GPU driver supports CUDA 12.2");
        refused({"profile", "--reference", "c"}, 5, "the GPU driver supports CUDA 12.2");
    }
    {
        const EnvironmentVariable nowhere("LD_LIBRARY_PATH", nullptr);
        if (!fs::exists("/dev/nvidia0"))
            refused({"try", "c"}, 5, "no GPU is here to replay the captured launch");
    }
}

TEST_CASE("compute-sanitizer checks a replay on request", "[capture]") {
    const Place place;
    REQUIRE(place.capture("set_all", {"set_all"}).exit_code == 0);
    // A tool that runs the program and reports an error.
    fs::create_directories(place.folder / "toolkit/bin");
    const fs::path tool = place.folder / "toolkit/bin/compute-sanitizer";
    write_text(tool,
               "#!/bin/sh\n"
               "log=$4; shift 8; \"$@\" || exit 7\n"
               "if [ -e clean ]; then rm clean; echo '========= ERROR SUMMARY: 0 errors' > $log; "
               "exit; fi\n"
               "cat > $log <<'END'\n"
               "========= COMPUTE-SANITIZER\n"
               "========= Invalid __global__ read of size 4 bytes\n"
               "=========     at set_all+0x70 in a.cu:7\n"
               "=========     by thread (1,0,0) in block (0,0,0)\n"
               "=========     Address 0x20 is out of bounds\n"
               "========= ERROR SUMMARY: 12 errors\n"
               "========= ERROR SUMMARY: 11 errors were not printed. Use --print-limit\n"
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

        // A candidate with errors that the original has not fails, and is not timed.
        const Place second;
        REQUIRE(second.capture("scale", {"scale"}).exit_code == 0);
        const Arguments arguments{"try",
                                  "c",
                                  "--memcheck",
                                  "--candidate",
                                  second.candidate("fast"),
                                  "--candidate",
                                  second.candidate("other")};
        const Outcome same = second.run(arguments);
        CHECK(same.exit_code == 2);
        CHECK_THAT(same.out.substr(same.out.find("== Times")), contains("fast.cubin"));
        CHECK_THAT(same.out, contains("not run: it has other parameters"));
        write_text(second.folder / "clean", "");
        const Outcome outside = second.run({"try", "c", "--memcheck", "--candidate", "fast.cubin"});
        CHECK(outside.exit_code == 4);
        CHECK_THAT(outside.out.substr(outside.out.find("== Times")), !contains("fast.cubin"));
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
    const Outcome large =
        place.run({"try", "c", "--candidate", "fast.cubin", "--set", "block=32x32"});
    CHECK(large.exit_code == 4);
    CHECK_THAT(large.out, contains("not run: the kernel can have at most 512 threads per block "
                                   "here, by its registers or __launch_bounds__, and the block "
                                   "has 1024: give a smaller block="));
    CHECK_THAT(tried.out, contains("fast.cubin block=64"));
    CHECK_THAT(tried.out, contains("fast.cubin block=32x4"));
}

TEST_CASE("with --watch, a candidate is verified again when its file is saved", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"scale"}).exit_code == 0);
    const std::string file = place.candidate("fast");
    const std::string wrong = place.candidate("wrong");
    Program program({"try", "c", "--candidate", file, "--watch"}, place.folder.path());
    const auto wait_for = [&](const std::string& what) {
        for (int i = 0; i < 1200 && program.running(); ++i) {
            if (program.output().find(what) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    };
    CHECK(wait_for("in the program: "));
    CHECK_THAT(program.output(), contains("EXACT") && !contains("WRONG"));
    fs::copy_file(place.folder / wrong, place.folder / file, fs::copy_options::overwrite_existing);
    CHECK(wait_for("WRONG: "));
    // A damaged file is reported, and the command waits for the next version.
    write_text(place.folder / file, "no machine code");
    std::this_thread::sleep_for(std::chrono::seconds(1));
    CHECK(program.running());
    program.send(SIGINT);
    const Outcome outcome = program.wait();
    CHECK(outcome.signal == SIGINT);
}

TEST_CASE("a capture is trimmed to the memory that its kernel uses", "[capture]") {
    const Place place;
    REQUIRE(place.capture("scale", {"pool"}).exit_code == 0);
    const auto bytes = [&] {
        std::uintmax_t sum = 0;
        for (const auto& entry : fs::directory_iterator(place.folder / "c"))
            sum += entry.file_size();
        return sum;
    };
    const std::uintmax_t before = bytes();
    const Outcome trimmed = place.run({"try", "c", "--trim"});
    CAPTURE(trimmed.out, trimmed.err);
    CHECK(trimmed.exit_code == 0);
    CHECK_THAT(trimmed.out, contains("trimmed: 0.4 MB of memory, which the kernel does not use"));
    CHECK(bytes() < before / 4);
    struct stat status {};
    REQUIRE(stat((place.folder / "c/launch.json").c_str(), &status) == 0);
    // The rest is as before, and can be trimmed again.
    const Outcome tried = place.run({"try", "c", "--candidate", place.candidate("fast"),
                                     "--candidate", place.candidate("wrong")});
    CHECK(tried.exit_code == 4);
    CHECK_THAT(tried.out, contains("every byte equals the program's result") &&
                              contains("EXACT: every byte as in the program") && contains("WRONG"));
    CHECK(place.run({"try", "c", "--trim"}).exit_code == 0);
    CHECK(place.run({"try", "c"}).exit_code == 0);
    const Outcome both = place.run({"try", "c", "--trim", "--candidate", "fast.cubin"});
    CHECK(both.exit_code == 2);
    CHECK_THAT(both.err, contains("--trim examines the original alone"));
    CHECK(place.run({"try", "x.cu", "--trim"}).exit_code == 2);
}

}  // namespace camber::capture_test::replay_test
