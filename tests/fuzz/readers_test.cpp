// Fuzz tests of all file readers with damaged files.
//
// CAMBER_FUZZ_SECONDS (20) is the time for all readers together, CAMBER_FUZZ_SEED the seed.
// CAMBER_FUZZ_READER chooses one reader by its name, and CAMBER_FUZZ_INPUT a file to read instead
// of mutations: the file stored by a failure.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/harness/record/results_file_fixture.hpp"

namespace camber::fuzz::readers_test {

namespace {

std::optional<std::string> variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != 0 ? std::optional<std::string>(value) : std::nullopt;
}

std::string described(const Reader& reader, const Result& result, const Limits& limits) {
    return "the reader '" + reader.name + "': " + result.problem +
           "\nIts input is kept: " + result.kept.string() +
           "\nRead it again with CAMBER_FUZZ_READER='" + reader.name +
           "' CAMBER_FUZZ_INPUT=" + result.kept.string() +
           ", or all with CAMBER_FUZZ_SEED=" + std::to_string(limits.seed);
}

// Result for a planted reader that runs `misbehave` on any input except its seed.
Result planted(const std::function<void()>& misbehave, Limits limits = {}) {
    Reader reader{"planted", Format::text,
                  [](const std::filesystem::path&) { return std::vector<std::string>{"sound"}; },
                  [&](const std::string& text, const std::filesystem::path&) {
                      if (text != "sound") misbehave();
                  }};
    Result result = run_supervised(reader, limits);
    std::filesystem::remove(result.kept);
    return result;
}

}  // namespace

TEST_CASE("damaged files end in a sentence, whoever reads them", "[fuzz][all][slow]") {
    Limits limits;
    const auto seed = variable("CAMBER_FUZZ_SEED");
    // Without a seed, the inputs are the same in every run, so that a change is not judged by
    // chance.
    limits.seed = seed ? std::stoull(*seed) : 1;
    if (!seed) limits.most_inputs = 400;
    const double seconds = std::stod(variable("CAMBER_FUZZ_SECONDS").value_or("20"));
    const auto chosen = variable("CAMBER_FUZZ_READER");
    const auto input = variable("CAMBER_FUZZ_INPUT");
    std::vector<Reader> readers = all_readers();
    if (chosen) std::erase_if(readers, [&](const Reader& one) { return one.name != *chosen; });
    REQUIRE_FALSE(readers.empty());
    limits.duration = std::chrono::milliseconds(
        static_cast<int>(1000 * seconds / static_cast<double>(readers.size())));
    std::printf("fuzz: CAMBER_FUZZ_SEED=%llu\n", static_cast<unsigned long long>(limits.seed));
    for (const Reader& reader : readers) {
        const Result result = input ? replay(reader, results_test::text_of(*input), limits)
                                    : run_supervised(reader, limits);
        std::printf("fuzz: %-30s %8llu inputs, %8llu accepted\n", reader.name.c_str(),
                    static_cast<unsigned long long>(result.inputs),
                    static_cast<unsigned long long>(result.accepted));
        std::fflush(stdout);
        if (!result.problem.empty()) FAIL_CHECK(described(reader, result, limits));
        CHECK(result.inputs > 0);
    }
}

TEST_CASE("a reader that misbehaves is found, and its input is kept", "[fuzz]") {
    CHECK(planted([] {}).problem.empty());
    CHECK(planted([] { throw Error(ExitCode::usage, "fuzzed.txt is damaged"); }).problem.empty());
    CHECK_THAT(planted([] { throw Error(ExitCode::usage, "it is damaged"); }).problem,
               contains("does not name the file"));
    CHECK_THAT(planted([] { throw Error(ExitCode::regression, "fuzzed.txt is slower"); }).problem,
               contains("exit code 1"));
    CHECK_THAT(planted([] { throw std::out_of_range("map::at"); }).problem, contains("map::at"));
    CHECK_THAT(planted([] { throw 5; }).problem, contains("unknown type"));
    CHECK_THAT(planted([] { std::abort(); }).problem, contains("signal 6"));
    CHECK_THAT(planted([] { std::exit(0); }).problem, contains("ended the process"));
    Limits brief;
    brief.longest_input = std::chrono::milliseconds(300);
    const auto never_end = [] {
        for (volatile bool on = true; on;) continue;
    };
    CHECK_THAT(planted(never_end, brief).problem, contains("took more than 300 ms"));
}

}  // namespace camber::fuzz::readers_test
