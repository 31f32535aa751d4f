// What is said when counters cannot be read.
#include "harness/machine/counters/counter_error.hpp"

#include <string>
#include <vector>

#include "harness/machine/counters/cupti_host.hpp"
#include "harness/machine/counters/range_profiler.hpp"
#include "tests/catch.hpp"

namespace counter_error_test {

using camber::Error;
using camber::ExitCode;
using camber::counters::counter_error;

TEST_CASE("a known CUPTI error is one sentence with cause and remedy", "[counters]") {
    struct Known {
        int code;
        std::vector<std::string> parts;
    };
    const std::vector<Known> known{
        {33, {"vGPU", "use a whole GPU"}},
        {35,
         {"administrators only", "RmProfilingAdminOnly", "CAP_PERFMON",
          "NVreg_RestrictProfilingToAdminUsers=0"}},
        {39, {"another profiler", "run camber without it"}},
        {40, {"hypervisor", "vGPU"}},
        {41, {"confidential computing"}},
        {43, {"MIG"}},
        {45, {"WSL"}},
    };
    for (const auto& [code, parts] : known) {
        const Error error = counter_error(code, "enabling the counters", "CUPTI_ERROR");
        const std::string sentence = error.what();
        INFO(sentence);
        CHECK(error.code() == ExitCode::unavailable);
        CHECK(sentence.starts_with("the GPU cannot be profiled: "));
        CHECK(sentence.ends_with("(CUPTI error " + std::to_string(code) + ")"));
        CHECK(sentence.find('\n') == std::string::npos);
        for (const std::string& part : parts) CHECK_THAT(sentence, contains(part));
    }
}

TEST_CASE("any other CUPTI error says what was tried, in CUPTI's own words", "[counters]") {
    CHECK(
        std::string(counter_error(7, "starting a pass", "CUPTI_ERROR_INVALID_OPERATION").what()) ==
        "the GPU cannot be profiled: starting a pass failed in CUPTI with "
        "CUPTI_ERROR_INVALID_OPERATION (CUPTI error 7)");
    CHECK_THAT(counter_error(4711, "starting a pass").what(), contains("an unknown error"));
}

TEST_CASE("counting without a CUDA context is refused with a sentence", "[counters]") {
    try {
        camber::counters::CounterSession("GH100", {}, nullptr);
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unavailable);
        CHECK_FALSE(std::string(error.what()).empty());
    }
}

}  // namespace counter_error_test
