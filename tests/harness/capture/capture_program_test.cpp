// `camber capture` on a program with a fake driver, as a user runs it.
#include <filesystem>
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/harness/capture/capture_place.hpp"

namespace camber::capture_test::program_test {

namespace {

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

TEST_CASE("managed, pinned and pageable memory are captured as far as possible", "[capture]") {
    const Place place;
    const auto kind_of_output = [&] {
        const Json index = place.index();
        for (const Json& buffer : index["launches"][0]["buffers"])
            if (buffer.contains("after")) return buffer["kind"].get<std::string>();
        return std::string("none");
    };
    const auto replayed = [&](const std::string& memory) {
        const Outcome captured = place.capture("scale", {memory});
        CAPTURE(memory, captured.err);
        REQUIRE(captured.exit_code == 0);
        const Outcome tried = place.run({"try", "c"});
        std::pair result(captured.out, tried);
        return result;
    };
    {
        const auto [captured, tried] = replayed("managed");
        CHECK_THAT(captured, contains("note    managed memory is replayed as memory of the GPU"));
        CHECK(kind_of_output() == "managed");
        CHECK(tried.exit_code == 0);
        CHECK_THAT(tried.out, contains("note: managed memory") &&
                                  contains("every byte equals the program's result"));
        fs::remove_all(place.folder / "c");
    }
    {
        const auto [captured, tried] = replayed("pinned");
        CHECK_THAT(captured, !contains("note "));
        CHECK(kind_of_output() == "host");
        CHECK(tried.exit_code == 0);
        CHECK_THAT(tried.out, contains("every byte equals the program's result"));
        fs::remove_all(place.folder / "c");
    }
    {
        const auto [captured, tried] = replayed("pageable");
        CHECK_THAT(captured, contains("note    the parameter at byte 0 is an address of pageable "
                                      "host memory, which is not captured"));
        CHECK(tried.exit_code == 4);
        CHECK_THAT(tried.err, contains("the replay of the original kernel failed: ") &&
                                  contains("it may read memory of the host that is not pinned"));
    }
}

TEST_CASE("what cannot be captured is said in a sentence", "[capture]") {
    const Place place;
    const auto refused = [&](const Outcome& outcome, int code, const std::string& sentence) {
        CHECK(outcome.exit_code == code);
        CHECK_THAT(outcome.err, contains(sentence));
        CHECK(!has_files(place.folder / "c"));
    };
    refused(place.capture("scale", {}), 2, "the program launched no kernel, so none is 'scale'");
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
        const EnvironmentVariable late("ASAN_OPTIONS", "verify_asan_link_order=0");
        const EnvironmentVariable disk("FAKE_FREE_BYTES", "1000");
        refused(place.capture("scale", {"scale"}), 5, "where 0.0 MB are free");
    }
    fs::create_directory(place.folder / "full");
    write_text(place.folder / "full/file", "");
    refused(place.run({"capture", "--kernel", "scale", "--out", "full", "--",
                       built::fake_gpu_program, "scale"}),
            5, "exists and is not empty");
}

}  // namespace camber::capture_test::program_test
