#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/registry/registry.hpp"
#include "harness/results/build_info.hpp"
#include "harness/run/reference_variants.hpp"

namespace {

int fail(camber::ExitCode code, const char* sentence) {
    std::fprintf(stderr, "camber: %s\n", sentence);
    return static_cast<int>(code);
}

int run(int argc, char** argv) {
    const camber::CommandLine command_line(argv, argv + argc);
    camber::add_reference_variants(camber::registry());

    CLI::App app{"camber: which way of touching memory makes a cellular automaton fast, and why"};
    app.name("camber");
    app.set_version_flag("--version", std::string("camber ") + camber::build_info::version);
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  camber run                          all Game of Life variants, verified and ranked\n"
        "  camber list variants                what can be run, and where it was published\n"
        "  camber run --help                   all options of a run\n"
        "\n"
        "Exit codes: 0 success, 1 regression, 2 bad input, 3 results cannot be compared,\n"
        "4 a variant failed verification, 5 this machine cannot do it (GPU, memory, file).");
    camber::Action action;
    camber::add_list_command(app, action);
    camber::add_run_command(app, action, command_line);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int status = app.exit(error);  // prints help, version or the error
        return status == 0 ? 0 : static_cast<int>(camber::ExitCode::usage);
    }
    return action();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const camber::Error& error) {
        return fail(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return fail(camber::ExitCode::unavailable,
                    "the host's memory is exhausted: choose a smaller --size");
    } catch (const std::exception& error) {
        return fail(camber::ExitCode::unavailable, error.what());
    }
}
