#include "tests/program/program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "harness/base/files.hpp"
#include "tests/results/schema_check.hpp"

namespace camber::cli_test {

namespace {

void require(bool done, const std::string& what, int reason = errno) {
    if (!done) throw std::system_error(reason, std::generic_category(), what);
}

// A file in memory: unlike a pipe, it never fills up, and it leaves no file in the folder.
int new_capture() {
    const int descriptor = memfd_create("captured output", MFD_CLOEXEC);
    require(descriptor >= 0, "memfd_create");
    return descriptor;
}

std::string captured(int descriptor) {
    std::string text;
    char buffer[4096];
    // pread() does not move the file position, at which a running program continues to write.
    for (ssize_t count;
         (count = pread(descriptor, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0;)
        text.append(buffer, static_cast<std::size_t>(count));
    return text;
}

// Null-terminated array of C strings for exec().
std::vector<char*> pointers_to(std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (std::string& string : strings) pointers.push_back(string.data());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<std::string> command_of(const Arguments& arguments, const char* program) {
    std::vector<std::string> command{program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

// Hides all GPUs and BENCHMARK_* variables, which Google Benchmark reads. Waiting threads yield,
// because tests run concurrently.
std::vector<std::string> environment() {
    std::vector<std::string> variables{"CUDA_VISIBLE_DEVICES=", "OMP_WAIT_POLICY=passive"};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (!text.starts_with("CUDA_VISIBLE_DEVICES=") && !text.starts_with("OMP_WAIT_POLICY=") &&
            !text.starts_with("BENCHMARK_"))
            variables.emplace_back(text);
    }
    return variables;
}

}  // namespace

Program::Program(const Arguments& arguments, const fs::path& folder, const char* program)
    : out_(new_capture()), err_(new_capture()) {
    auto command = command_of(arguments, program);
    auto variables = environment();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out_, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err_, STDERR_FILENO);
    const int failure = posix_spawn(&pid_, command[0].c_str(), &actions, nullptr,
                                    pointers_to(command).data(), pointers_to(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    require(failure == 0, "cannot start " + command[0], failure);
}

Program::~Program() {
    if (pid_ != 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    close(out_);
    close(err_);
}

void Program::send(int signal) const {
    if (pid_ != 0) kill(pid_, signal);
}

bool Program::running() {
    int status = 0;
    if (pid_ != 0 && waitpid(pid_, &status, WNOHANG) == pid_) keep_status(status);
    return pid_ != 0;
}

std::string Program::output() const {
    return captured(out_);
}

Outcome Program::wait() {
    int status = 0;
    if (pid_ != 0) {
        require(waitpid(pid_, &status, 0) == pid_, "waitpid");
        keep_status(status);
    }
    outcome_.out = captured(out_);
    outcome_.err = captured(err_);
    return outcome_;
}

void Program::keep_status(int status) {
    pid_ = 0;
    if (WIFEXITED(status)) outcome_.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome_.signal = WTERMSIG(status);
}

Outcome run_program(const Arguments& arguments, const fs::path& folder, const char* program) {
    return Program(arguments, folder, program).wait();
}

Outcome run_on_terminal(const Arguments& arguments, const fs::path& folder) {
    auto command = command_of(arguments, built::program);
    auto variables = environment();
    const auto argv = pointers_to(command);
    const auto envp = pointers_to(variables);
    const int out = new_capture();
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
    require(pid >= 0, "forkpty");
    if (pid == 0) {
        if (chdir(folder.c_str()) == 0 && dup2(out, STDOUT_FILENO) >= 0)
            execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    Outcome outcome;
    char buffer[4096];
    // Reading fails with EIO once the program has closed its side.
    for (ssize_t count; (count = read(terminal, buffer, sizeof buffer)) > 0;)
        outcome.err.append(buffer, static_cast<std::size_t>(count));
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
    outcome.out = captured(out);
    close(terminal);
    close(out);
    return outcome;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> listed_variants(const std::string& backend, const std::string& workload,
                                         const std::string& cell) {
    const TestFolder folder;
    std::vector<std::string> names;
    Arguments arguments{"list", "variants", "--format", "json"};
    if (!workload.empty()) arguments.insert(arguments.end(), {"--workload", workload});
    const auto holds = [](const Json& list, const std::string& word) {
        return std::ranges::find(list, Json(word)) != list.end();
    };
    for (const Json& variant : Json::parse(run_program(arguments, folder.path()).out))
        if (holds(variant["backends"], backend) &&
            ((workload != "life" && cell == "uint32") || holds(variant["cells"], cell)))
            names.push_back(variant["variant"]);
    return names;
}

Json results_in(const fs::path& file) {
    return Json::parse(camber::read_file(file, "results file", "a results file"));
}

std::vector<std::string> defects(const Json& results) {
    std::vector<std::string> found =
        schema_violations(results, source_folder / "results/schema/camber-results.schema.json");
    std::set<std::string> names;
    for (const Json& entry : results.at("benchmarks")) {
        for (const char* key : {"name", "run_name", "iterations", "real_time", "time_unit"})
            if (!entry.contains(key)) found.push_back(entry.dump() + " has no " + key);
        const std::string name = entry.value("name", "");
        // Repetitions of a case have the same name.
        if (!names.insert(name + "#" + std::to_string(entry.value("repetition_index", 0))).second)
            found.push_back(name + " occurs twice");
    }
    return found;
}

Json of_another_commit(Json results) {
    results["context"]["camber"]["git"] = {{"commit", "0123456789abcdef"}, {"dirty", false}};
    return results;
}

Json of_another_card(Json results) {
    results["context"]["camber"]["gpu"] = {{"name", "NVIDIA H100"},
                                           {"index", 0},
                                           {"compute_capability", "9.0"},
                                           {"sm_count", 132},
                                           {"l2_bytes", nullptr},
                                           {"memory_bytes", nullptr},
                                           {"memory_clock_hz", nullptr},
                                           {"sm_clock_hz", nullptr},
                                           {"ecc", nullptr}};
    return results;
}

}  // namespace camber::cli_test
