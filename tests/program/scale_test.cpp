// `camber scale` from end to end.
#include "tests/catch.hpp"
#include "tests/program/program.hpp"
#include "tests/results/schema_check.hpp"

namespace scale_test {

using namespace camber;
using namespace camber::cli_test;

TEST_CASE("a scaling series over CPU threads is measured, stored and read again", "[cli][scale]") {
    const TestFolder folder;
    const Outcome measured = run_program({"scale", "--over", "threads", "--units", "1,2", "--size",
                                          "300x200", "--quick", "--out", "s.json"},
                                         folder.path());
    CAPTURE(measured.err, measured.out);
    if (measured.err.find("from 1 to 1:") != std::string::npos) {
        WARN("this machine has one core: nothing to scale over");
        return;
    }
    REQUIRE(measured.exit_code == 0);
    CHECK_THAT(measured.out, contains("life/reference/threads"));
    CHECK_THAT(measured.out, contains("results: s.json"));

    const Json document = Json::parse(text_of(folder.path() / "s.json"));
    CHECK(defects(document) == std::vector<std::string>{});
    REQUIRE(document["benchmarks"].size() == 2);
    for (const int threads : {1, 2}) {
        const Json& one = document["benchmarks"][threads - 1];
        CHECK(one["name"].get<std::string>().ends_with("/thread:" + std::to_string(threads)));
        CHECK(one["camber"]["scaling"]["units"] == threads);
        CHECK(one["camber"]["parameters"]["threads"] == threads);
        CHECK(one["camber"]["verification"]["compared_cells"] == 300 * 200);
    }
    REQUIRE(document["scaling"].size() == 1);
    const Json& series = document["scaling"][0];
    CHECK(series["unit"] == "thread");
    REQUIRE(series["points"].size() == 2);
    const double t1 = series["points"][0]["median_ns"];
    const double t2 = series["points"][1]["median_ns"];
    CHECK(series["points"][1]["speedup"].get<double>() == Approx(t1 / t2));

    const Outcome again = run_program({"scale", "--from", "s.json"}, folder.path());
    CHECK(again.exit_code == 0);
    CHECK(measured.out == again.out + "results: s.json\n");
}

TEST_CASE("a weak series' board grows with the threads", "[cli][scale]") {
    const TestFolder folder;
    const Outcome measured =
        run_program({"scale", "--over", "threads", "--units", "1,2", "--size", "300x100", "--mode",
                     "weak", "--quick", "--out", "w.json"},
                    folder.path());
    CAPTURE(measured.err, measured.out);
    if (measured.err.find("from 1 to 1:") != std::string::npos) return;
    REQUIRE(measured.exit_code == 0);
    const Json document = Json::parse(text_of(folder.path() / "w.json"));
    CHECK(defects(document) == std::vector<std::string>{});
    CHECK(document["benchmarks"][1]["camber"]["size"]["rows"] == 200);
    CHECK(document["scaling"][0]["mode"] == "weak");
    CHECK(document["scaling"][0]["gustafson"].contains("serial_share"));
}

TEST_CASE("what cannot be scaled over is said in one sentence", "[cli][scale]") {
    const TestFolder folder;
    const auto refused = [&](Arguments arguments, int code, const char* words) {
        arguments.insert(arguments.begin(), "scale");
        const Outcome outcome = run_program(arguments, folder.path());
        CAPTURE(arguments, outcome.out);
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(words));
    };
    refused({}, 2, "--over sms");
    refused({"--over", "cores"}, 2, "cores");
    refused({"--over", "sms"}, 5, "no CUDA device can be used");
    refused({"--over", "gpus"}, 5, "at least two");
    refused({"--over", "threads", "--launcher", "srun"}, 2, "--launcher srun starts ranks");
    refused({"--over", "threads", "--units", "1,two"}, 2, "--units 1,two");
    refused({"--over", "threads", "--units", "1"}, 2, "at least one larger number");
    refused({"--over", "threads", "--mode", "steep"}, 2, "steep");
    refused({"--over", "threads", "--variant", "nosuch"}, 2, "'nosuch'");
    refused({"--over", "threads", "--variant", "halo/64x4/align128"}, 2, "--over sms");
    refused({"--from", "absent.json"}, 2, "absent.json");
}

}  // namespace scale_test
