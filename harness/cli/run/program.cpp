// The whole program: parses the command line, runs the chosen command, and reports errors.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/record/context.hpp"

namespace camber {

namespace {

int fail(ExitCode code, const std::string& sentence) {
    finish_output();
    say_error(sentence);
    return static_cast<int>(code);
}

// Flushes the output, because write errors appear only then.
bool flushed() {
    errno = 0;
    finish_output();
    return std::fflush(stdout) == 0 && !std::ferror(stdout);
}

int fail_for_output(const std::string& reason) {
    return fail(ExitCode::unavailable,
                fmt::format("cannot write to standard output: {}; free some space, or send it to "
                            "another file",
                            reason));
}

// One sentence for an error of CLI11, with a reference to the help page.
Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
    std::string sentence = error.what();
    std::string command = app.get_name();
    const CLI::App* innermost = &app;
    while (!innermost->get_subcommands().empty()) {
        innermost = innermost->get_subcommands().front();
        command += " " + innermost->get_name();
    }
    if (const auto commands = innermost->get_subcommands({}); !commands.empty()) {
        std::vector<std::string> names;
        for (const CLI::App* known : commands) names.push_back(known->get_name());
        const auto unknown = app.remaining(true);
        sentence = fmt::format("{}: choose {}",
                               unknown.empty() ? std::string("no command is given")
                                               : fmt::format("'{}' is no command", unknown.front()),
                               fmt::join(names, " or "));
    }
    for (const CLI::App* chosen : app.get_subcommands())
        if (const CLI::Option* const workload = chosen->get_option_no_throw("--workload"))
            if (const std::string other = option_of_others(
                    chosen->remaining(), workload->count() > 0 ? workload->results().back()
                                                               : workload->get_default_str());
                !other.empty())
                sentence = other;
    return {ExitCode::usage, fmt::format("{}; see {} --help", sentence, command)};
}

// Relative paths are invalid if the working folder was deleted.
void check_working_folder() {
    std::error_code error;
    static_cast<void>(std::filesystem::current_path(error));
    if (error)
        throw Error(ExitCode::unavailable,
                    fmt::format("the working folder cannot be used: {}; change to a "
                                "folder that exists",
                                error.message()));
}

int run(int argc, char** argv) {
    const CommandLine command_line(argv, argv + argc);
    require_process_limits();

    CLI::App app{"camber: which way of touching memory makes a cellular automaton fast, and why"};
    app.name("camber");
    app.set_version_flag("--version", std::string("camber ") + build_info::version);
    app.require_subcommand(1);
    set_help_format(app);
    app.footer(
        "Examples:\n"
        "  camber run                          all Game of Life variants, verified and ranked\n"
        "  camber list                         what can be run, and how to see more\n"
        "  camber compare base.json new.json   whether the second is slower or costlier, for CI\n"
        "  camber run --help                   all options of a run\n"
        "\n"
        "Exit codes: 0 success, 1 regression, 2 bad input, 3 results cannot be compared,\n"
        "4 a variant failed verification or a check, or crashed, 5 this machine cannot do it\n"
        "(GPU, memory, file). A run that SIGINT, SIGTERM or SIGHUP stops keeps what it measured,\n"
        "and ends by that signal.");
    Action action;
    add_commands(app, action, command_line);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) throw usage_error(app, error);
        std::ostringstream text;  // for help and version
        app.exit(error, text);
        fmt::print("{}", text.str());
        return static_cast<int>(ExitCode::success);
    }
    check_working_folder();
    if (const auto code = guard_candidates(app)) return *code;
    return action();
}

// Sentence for an exception of the C++ library that no layer handled.
std::string sentence_of(const std::filesystem::filesystem_error& error) {
    return fmt::format("cannot access \"{}\": {}; check its path and permissions",
                       error.path1().string(), error.code().message());
}

int run_to_end(int argc, char** argv) {
    try {
        const int code = run(argc, argv);
        if (!flushed()) {
            const int reason = errno != 0 ? errno : EIO;
            if (pipe_is_broken()) end_by_broken_pipe();
            return fail_for_output(std::strerror(reason));
        }
        if (stop_signal() != 0) end_by_stop_signal();
        return code;
    } catch (const Stopped&) {
        std::fprintf(stderr, "camber: stopped before there was anything to show\n");
        end_by_stop_signal();
    } catch (const Error& error) {
        finish_output();
        say_error(error);
        return static_cast<int>(error.code());
    } catch (const std::bad_alloc&) {
        return fail(ExitCode::unavailable,
                    "the host's memory is exhausted: choose a smaller --size");
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(ExitCode::unavailable, sentence_of(error).c_str());
    } catch (const std::exception& error) {
        if (std::ferror(stdout)) {  // errors of fmt::print()
            if (pipe_is_broken()) end_by_broken_pipe();
            return fail_for_output(error.what());
        }
        return fail(ExitCode::unavailable, error.what());
    }
}

}  // namespace

int run_program(int argc, char** argv) {
    fold_output();
    fail_on_broken_pipe();
    const int code = run_to_end(argc, argv);
    report_exit(code);
    return code;
}

}  // namespace camber
