// Output of `camber reproduce` for tests.
#pragma once

#include "tests/catch.hpp"
#include "tests/program/program.hpp"

namespace camber::cli_test {

inline Outcome reproduce(Arguments arguments) {
    arguments.insert(arguments.begin(), "reproduce");
    const TestFolder folder;
    Outcome outcome = run_program(arguments, folder.path());
    CHECK(folder.entries() == 0);
    return outcome;
}

inline std::string reproduced(const Arguments& arguments) {
    const Outcome outcome = reproduce(arguments);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
}

inline Json reproduced_json(Arguments arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    return Json::parse(reproduced(arguments));
}

}  // namespace camber::cli_test
