// Output in a terminal window of a given width.
#include <algorithm>
#include <utility>

#include "tests/catch.hpp"
#include "tests/environment_variable.hpp"
#include "tests/program/program.hpp"

namespace terminal_program_test {

namespace {

using namespace camber::cli_test;

// Width of UTF-8 text: one column for each character.
std::size_t columns_of(const std::string& line) {
    return static_cast<std::size_t>(
        std::ranges::count_if(line, [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace

TEST_CASE("nothing is wider than a person's window", "[cli][portable][terminal]") {
    const TestFolder folder;
    const std::string life = (source_folder / "results/h200/life.json").string();
    const std::string sms = (source_folder / "results/h200/scaling-sms.json").string();
    const std::string ceilings = (source_folder / "results/h200/ceilings.json").string();
    for (const char* columns : {"60", "80"}) {
        const camber::EnvironmentVariable width("COLUMNS", columns);
        for (const Arguments& arguments :
             {Arguments{"--help"},
              {"run", "--help"},
              {"model", "--help"},
              {"list"},
              {"list", "workloads"},
              {"list", "steps"},
              {"list", "variants", "--workload", "life", "--technique", "halo"},
              {"run", "--variant", "halo/*", "--quick", "--size", "64x64"},
              {"run", "--backend", "cpu", "--quick", "--size", "64x64"},
              {"model", "--variant", "halo/*", "--ceilings", ceilings},
              {"model", "--variant", "halo/16x16/align128", "--ceilings", ceilings},
              {"check", "halo/16x16/align128"},
              {"compare", life, life},
              {"scale", "--from", sms},
              {"reproduce"},
              {"reproduce", "balasalle-life", "--from", life}}) {
            const Outcome outcome = run_program(arguments, folder.path());
            CAPTURE(columns, arguments, outcome.err);
            CHECK(outcome.exit_code == 0);
            CHECK_FALSE(outcome.out.empty());
            for (const std::string& line : lines_of(outcome.out)) {
                CAPTURE(line);
                CHECK(columns_of(line) <= std::strtoul(columns, nullptr, 10));
            }
        }
    }
}

TEST_CASE("what programs read is never broken into lines", "[cli][portable][terminal]") {
    const TestFolder folder;
    const Arguments json{"list", "--format", "json"};
    const std::string whole = run_program(json, folder.path()).out;
    const camber::EnvironmentVariable width("COLUMNS", "40");
    CHECK(run_program(json, folder.path()).out == whole);
    CHECK_NOTHROW(
        Json::parse(run_program({"reproduce", "topa-1", "--format", "json"}, folder.path()).out));
}

TEST_CASE("progress is cut to the terminal, without escapes where they are unwanted",
          "[cli][portable][terminal]") {
    const TestFolder folder;
    const camber::EnvironmentVariable width("COLUMNS", "40");
    const camber::UsualTerminal terminal;
    const Arguments arguments{"model", "--variant", "two_element*", "--size", "256x128"};
    const auto longest = [](const std::string& text) {
        std::size_t most = 0;
        std::size_t begin = 0;
        for (std::size_t i = 0; i <= text.size(); ++i)
            if (i == text.size() || text[i] == '\r' || text[i] == '\n') {
                most = std::max(most, i - begin);
                begin = i + 1;
            }
        return most;
    };
    const std::string usual = run_on_terminal(arguments, folder.path()).err;
    CHECK_THAT(usual, contains("\r\033[K[1/"));
    CHECK(longest(usual) <= 40 + 3);  // and the escape sequence itself
    for (const auto& [name, value] : {std::pair("TERM", "dumb"), {"NO_COLOR", "1"}}) {
        const camber::EnvironmentVariable unwanted(name, value);
        const std::string plain = run_on_terminal(arguments, folder.path()).err;
        CAPTURE(name);
        CHECK_THAT(plain, contains("[1/"));
        CHECK(plain.find('\033') == std::string::npos);
        CHECK(longest(plain) <= 40);
    }
}

TEST_CASE("a program that shows the progress itself reads it as lines",
          "[cli][portable][terminal]") {
    const TestFolder folder;
    const Arguments run{"run",       "--backend", "simt",  "--size", "64x64",
                        "--variant", "halo/16x16/*", "--out", "r.json"};
    const Outcome silent = run_program(run, folder.path());
    CHECK(silent.err.empty());
    const camber::EnvironmentVariable lines("CAMBER_PROGRESS", "lines");
    const Outcome outcome = run_program(run, folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == silent.out);
    CHECK_THAT(outcome.err, contains("[1/2] life/halo/16x16/align128/64x64/uint32/simt\n"));
}

}  // namespace terminal_program_test
