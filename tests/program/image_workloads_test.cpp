// Image workloads in the program: image files as input and output, and known final states.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace image_workloads_test {

namespace {

using namespace camber::cli_test;

Outcome run_reference(const TestFolder& folder, Arguments arguments) {
    arguments.insert(arguments.begin(), {"run", "--quick", "--backend", "cpu"});
    return run_program(arguments, folder.path());
}

Json final_state(const TestFolder& folder, const Arguments& arguments) {
    const Outcome outcome = run_reference(folder, arguments);
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json results = results_in(folder / "camber-results.json");
    CHECK(defects(results).empty());
    CHECK(results["benchmarks"].size() == 2);
    for (const Json& entry : results["benchmarks"]) CHECK(entry["camber"]["status"] == "ok");
    return results["benchmarks"][0]["camber"]["final"];
}

}  // namespace

TEST_CASE("image workloads end in the known states", "[cli][portable][run][image]") {
    const TestFolder folder;
    const auto checksum = [&](Arguments arguments) {
        arguments.insert(arguments.end(), {"--size", "64x64"});
        return final_state(folder, arguments)["checksum"].get<std::string>();
    };
    CHECK(checksum({"--workload", "blur", "--generations", "2"}) == "0xac93bfce6f76ffe8");
    CHECK(checksum({"--workload", "blur", "--generations", "1", "--param", "sigma=1"}) ==
          "0xe614c44d31bf2958");
    CHECK(checksum({"--workload", "dog"}) == "0x774f6e2ed5539c3c");
    CHECK(checksum({"--workload", "extrema"}) == "0xea562785e29684c9");
    final_state(folder, {"--workload", "dog_image", "--size", "64x64"});
    final_state(folder, {"--workload", "extrema_stack", "--size", "64x64"});
}

TEST_CASE("images are read, and saved in a format that can be read again",
          "[cli][portable][run][image][slow]") {
    const TestFolder folder;
    write_text(folder / "in.pgm", "P2 4 3 15\n0 1 2 3 4 5 6 7 8 9 10 15\n");
    for (const char* workload :
         {"blur", "gaussian", "dog", "dog_image", "extrema", "extrema_stack"})
        for (const char* file : {"out.pgm", "out.png"}) {
            CAPTURE(workload, file);
            final_state(folder, {"--workload", workload, "--input", "in.pgm", "--generations", "1",
                                 "--save", file});
            final_state(folder, {"--workload", "blur", "--input", file});
        }
    CHECK_THAT(text_of(folder / "out.pgm"), contains("# camber: "));
}

TEST_CASE("an image of another size, none at all, or an unknown suffix ends with a sentence",
          "[cli][run][image]") {
    const TestFolder folder;
    write_text(folder / "in.pgm", "P2 2 1 1\n0 1\n");
    write_text(folder / "text.txt", "hello");
    const auto rejected = [&](Arguments arguments, const std::vector<std::string>& named) {
        arguments.insert(arguments.begin(), {"--workload", "blur"});
        const Outcome outcome = run_reference(folder, arguments);
        CHECK(outcome.exit_code == 2);
        for (const std::string& word : named) CHECK_THAT(outcome.err, contains(word));
    };
    rejected({"--input", "in.pgm", "--size", "9x9"}, {"in.pgm", "2x1", "9x9", "--size"});
    rejected({"--input", "text.txt"}, {"text.txt", "neither a PGM"});
    rejected({"--input", "absent.png"}, {"absent.png", "No such file"});
    rejected({"--size", "8x8", "--save", "out.jpg"}, {"out.jpg", ".pgm or .png"});
    rejected({"--size", "8x8", "--param", "sigma=-1"}, {"sigma is -1", "--param"});
}

}  // namespace image_workloads_test
