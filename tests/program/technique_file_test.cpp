// Techniques from files, as users try them.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace camber::technique_file_test {

namespace {

using namespace camber::cli_test;

const std::string four_rows = (source_folder / "examples/techniques/four_rows.hpp").string();

Outcome camber_in(const TestFolder& folder, const Arguments& arguments) {
    return run_program(arguments, folder.path());
}

std::string replaced(const std::string& text, const std::string& what, const std::string& with) {
    return std::regex_replace(text, std::regex(what), with);
}

// One of camber's techniques under another name.
std::string renamed(const std::string& technique, const std::string& type,
                    const std::string& name) {
    std::string text = text_of(source_folder / "variants/techniques" / (technique + ".hpp"));
    text = replaced(text, "\\b" + type + "\\b", "Own" + type);
    for (const std::string& function :
         {technique + "_kernel", "linked_" + technique + "_kernel",
          "staying_" + technique + "_kernel", technique + "_across_kernel",
          std::string("stream_rows"), std::string("cells_of_board")})
        text = replaced(text, "\\b" + function + "\\b", "own_" + function);
    return replaced(text, "\"" + technique + "\"", "\"" + name + "\"");
}

}  // namespace

TEST_CASE("try takes a technique's file as it is, and leaves nothing behind",
          "[cli][portable][try][technique]") {
    const TestFolder folder;
    const TestFolder temporary;
    const EnvironmentVariable variable("TMPDIR", temporary.path().string());
    const Outcome outcome = camber_in(folder, {"try", four_rows, "--workload", "blur", "--size",
                                               "70x50", "--against", "halo/32x8/*"});
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    for (const std::string variant :
         {"blur/four_rows/32x8/align128", "blur/four_rows/64x4/align128"})
        CHECK_THAT(outcome.out, contains(variant + " on 70x50: clean"));
    CHECK_THAT(outcome.out,
               contains("4 checked, 4 clean") && contains("four_rows/64x4/align128 1.35k"));
    CHECK(folder.entries() == 0);
    CHECK(temporary.entries() == 0);
}

TEST_CASE("a technique of camber's in a file of one's own has its counts",
          "[cli][portable][try][technique][slow]") {
    const TestFolder folder;
    for (const auto& [technique, type] : std::vector<std::pair<std::string, std::string>>{
             {"halo", "Halo"}, {"row_stream", "RowStream"}}) {
        CAPTURE(technique);
        write_text(folder.path() / "own.hpp", renamed(technique, type, "own"));
        const Arguments model{"model", "--workload", "blur", "--size", "256x64", "--json"};
        const Outcome own = camber_in(folder, with(model, {"own.json", "--candidate", "own.hpp"}));
        CHECK(own.err.empty());
        REQUIRE(own.exit_code == 0);
        const Outcome built_in =
            camber_in(folder, with(model, {"built_in.json", "--variant", technique + "/*"}));
        REQUIRE(built_in.exit_code == 0);
        // Call sites in other files have other names.
        const auto figures = [&, technique = technique](const std::string& file) {
            return replaced(replaced(text_of(folder.path() / file), "\\bown\\b", technique),
                            "Own|own_", "");
        };
        CHECK(Json::parse(figures("own.json")).at("models") ==
              Json::parse(figures("built_in.json")).at("models"));
    }
}

TEST_CASE("a technique's file works in workloads of several steps",
          "[cli][portable][try][technique][slow]") {
    const TestFolder folder;
    const Outcome outcome =
        camber_in(folder, {"run", "--backend", "simt", "--workload", "dog_image", "--size", "40x30",
                           "--candidate", four_rows, "--out", "r.json"});
    CHECK(outcome.err.empty());
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("dog_image/four_rows/three_kernels/32x8/align128") &&
                                contains("dog_image/four_rows/fused/64x4/align128"));
    const Json results = results_in(folder.path() / "r.json");
    CHECK(results.at("benchmarks").size() == 4);
    CHECK(defects(results) == std::vector<std::string>{});
}

TEST_CASE("faults and errors of a technique's file have its own lines",
          "[cli][portable][try][technique]") {
    const TestFolder folder;
    const std::string text = text_of(four_rows);
    write_text(folder.path() / "a 'b\".hpp",
               replaced(text, "row, column, apply", "row, column + 2, apply"));
    const Outcome beyond = camber_in(
        folder, {"check", "--workload", "blur", "--size", "70x50", "--candidate", "a 'b\".hpp"});
    CHECK(beyond.exit_code == 4);
    CHECK_THAT(beyond.out, contains("a 'b\".hpp:20"));
    write_text(folder.path() / "own.hpp", replaced(text, "row \\+ drow", "row + drown"));
    const Outcome outcome = camber_in(folder, {"try", "own.hpp", "--workload", "blur"});
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("own.hpp does not compile for the host; ") &&
                                contains("own.hpp:18:") && contains("drown"));
}

TEST_CASE("what cannot be meant by a technique's file is refused",
          "[cli][portable][try][technique][slow]") {
    const TestFolder folder;
    const auto says = [&](const Arguments& arguments) {
        const Outcome outcome = camber_in(folder, arguments);
        CHECK(outcome.exit_code == 2);
        return outcome.err;
    };
    const std::string text = text_of(four_rows);
    write_text(folder.path() / "halo.hpp", replaced(text, "\"four_rows\"", "\"halo\""));
    CHECK_THAT(says({"model", "--candidate", "halo.hpp", "--workload", "blur"}),
               contains("halo.hpp: its technique is called halo, as one of camber's is: give its "
                        "TechniqueInfo another name"));
    write_text(folder.path() / "twice.hpp", replaced(text, "Region\\{64, 4\\}", "Region{32, 8}"));
    CHECK_THAT(says({"model", "--candidate", "twice.hpp", "--workload", "blur"}),
               contains("twice.hpp: variant blur/four_rows/32x8/align128 is registered twice"));
    write_text(folder.path() / "none.hpp",
               replaced(text, "for \\(const Region block", "if (false) for (const Region block"));
    CHECK_THAT(says({"model", "--candidate", "none.hpp", "--workload", "blur"}),
               contains("none.hpp: add() gives blur no variant of four_rows"));
    write_text(folder.path() / "left.hpp",
               replaced(text, "for \\(const Region block",
                        "catalogue.leave_out(info, \"is too small\"); if (false) for (const Region "
                        "block"));
    CHECK_THAT(says({"model", "--candidate", "left.hpp", "--workload", "blur"}),
               contains("left.hpp: technique four_rows leaves out blur, which is too small"));
    CHECK_THAT(
        says({"model", "--candidate", four_rows, "--workload", "sciara_fv2"}),
        contains(
            "the variants of sciara_fv2 on float64 cells are not made of the list of techniques"));
    CHECK_THAT(
        says({"model", "--candidate", four_rows, "--cell", "bits"}),
        contains("the variants of life on bits cells are not made of the list of techniques"));
    CHECK_THAT(says({"try", four_rows, "--workload", "blur", "--sweep", "block=32x4"}),
               contains("four_rows.hpp lists its shapes in add(): leave out --sweep"));
    CHECK_THAT(says({"try", four_rows}), contains("--workload is required"));
    CHECK_THAT(says({"profile", "--candidate", four_rows, "--workload", "blur"}),
               contains("four_rows.hpp contains 2 variants: name the one to profile, such as "
                        "blur/four_rows/32x8/align128"));
    write_text(folder.path() / "empty.hpp", "#pragma once\n");
    CHECK_THAT(says({"try", "empty.hpp", "--workload", "blur"}),
               contains("empty.hpp has no technique"));
}

TEST_CASE("a technique's file is compiled once", "[cli][portable][try][technique]") {
    const TestFolder folder;
    const TestFolder cache;
    const EnvironmentVariable variable("XDG_CACHE_HOME", cache.path().string());
    // Cached files and their modification times.
    const auto kept = [&] {
        std::vector<std::pair<std::string, fs::file_time_type>> files;
        for (const auto& entry : fs::recursive_directory_iterator(cache.path()))
            if (entry.path().filename().string().starts_with("candidate-"))
                files.emplace_back(entry.path().string(), entry.last_write_time());
        std::ranges::sort(files);
        return files;
    };
    const Arguments model{"model", "--candidate", "own.hpp", "--workload",
                          "blur",  "--size",      "64x48"};
    write_text(folder.path() / "own.hpp", text_of(four_rows));
    const Outcome first = camber_in(folder, model);
    CHECK(first.exit_code == 0);
    const auto before = kept();
    CHECK(before.size() == 1);
    CHECK(camber_in(folder, model).out == first.out);
    CHECK(kept() == before);
    write_text(folder.path() / "own.hpp", "//\n" + text_of(four_rows));
    CHECK(camber_in(folder, model).exit_code == 0);
    CHECK(kept().size() == 2);
}

TEST_CASE("a technique's file is compiled for a GPU, too", "[cli][try][technique][nvcc][slow]") {
    const TestFolder folder;
    const Outcome outcome = camber_in(
        folder, {"try", four_rows, "--workload", "blur", "--size", "64x48", "--arch", "sm_90"});
    if (outcome.exit_code == 5) {
        CHECK_THAT(outcome.err, contains("there is no nvcc to compile") &&
                                    contains("four_rows.hpp for the device"));
        return;
    }
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, contains("== Compiled for sm_90\n") &&
                                contains("\nfour_rows_kernel<BlurOf<float> >: ") &&
                                contains(" registers, no spills\n"));
}

TEST_CASE("with --watch, every variant of a technique's file is measured again",
          "[cli][portable][try][technique]") {
    const TestFolder folder;
    const std::string text = text_of(four_rows);
    write_text(folder.path() / "own.hpp", text);
    Program program({"try", "own.hpp", "--workload", "blur", "--size", "64x48", "--watch"},
                    folder.path());
    const auto wait_for = [&](const std::string& what) {
        for (int i = 0; i < 1200 && program.running(); ++i) {
            if (program.output().find(what) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return program.output().find(what) != std::string::npos;
    };
    CHECK(wait_for("version 1: \n32x8/align128: every cell agrees; "));
    CHECK(wait_for("\n64x4/align128: every cell agrees; "));
    CHECK(wait_for(" s]\n"));
    write_text(folder.path() / "own.hpp", replaced(text, "Region\\{64, 4\\}", "Region{16, 16}"));
    CHECK(wait_for("version 2: \n32x8/align128: every cell agrees; "));
    CHECK(wait_for("against version 1: requests the same, sectors the same, bytes moved the same"));
    CHECK(wait_for("\n16x16/align128: every cell agrees; "));
    program.send(SIGINT);
    CHECK(program.wait().signal == SIGINT);
}

}  // namespace camber::technique_file_test
