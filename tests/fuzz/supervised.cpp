#include "tests/fuzz/supervised.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/messages.hpp"
#include "tests/fuzz/mutations.hpp"

namespace camber::fuzz {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_input = std::size_t{8} << 20;
constexpr std::size_t longest_problem = 8000;
// Exit codes that differ from those of a reader that calls exit().
constexpr int orderly_end = 71;
constexpr int problem_found = 72;

// Memory that the reader's process and its supervisor share.
struct Shared {
    std::atomic<std::uint64_t> inputs{0};
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<Clock::rep> started{0};  // 0: no input is being read
    char problem[longest_problem] = {};
    std::size_t length = 0;
    char input[longest_input] = {};
};

class SharedMemory {
  public:
    SharedMemory()
        : memory_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::runtime_error("no shared memory for the fuzz test");
        shared_ = new (memory_) Shared;
    }
    ~SharedMemory() { munmap(memory_, sizeof(Shared)); }
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;
    Shared* operator->() const { return shared_; }

  private:
    void* memory_;
    Shared* shared_ = nullptr;
};

class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "camber-fuzz-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

std::string fault_of(const Error& error, const std::string& named) {
    if (error.code() != ExitCode::usage && error.code() != ExitCode::incomparable &&
        error.code() != ExitCode::unavailable)
        return fmt::format("exit code {}", static_cast<int>(error.code()));
    const std::string sentence = camber::sentence(error);
    if (sentence.empty()) return "an empty sentence";
    if (sentence.size() > longest_sentence)
        return fmt::format("a sentence of {} bytes", sentence.size());
    if (sentence != escaped(sentence)) return "a sentence with control characters";
    if (sentence.find(named) == std::string::npos)
        return fmt::format("a sentence that does not name the file: {}", sentence);
    return "";
}

// Returns "" if the reader accepts or rejects the input correctly.
std::string problem_with(const Reader& reader, const std::string& input, const fs::path& file,
                         bool& accepted) {
    accepted = false;
    try {
        reader.read(input, file);
        accepted = true;
        return "";
    } catch (const Error& error) {
        return fault_of(error, file.stem().string());
    } catch (const std::bad_alloc&) {
        return "more memory than the file could ask for";
    } catch (const std::exception& error) {
        return fmt::format("an exception that is no Error: {}", error.what());
    } catch (...) {
        return "an exception of an unknown type";
    }
}

class Worker {
  public:
    Worker(const Reader& reader, const fs::path& folder, const SharedMemory& shared)
        : reader_(reader), file_(folder / reader.file), shared_(shared) {}

    // Returns true if there was no problem.
    bool take(const std::string& input, bool must_be_accepted = false) {
        shared_->length = std::min(input.size(), longest_input);
        std::memcpy(shared_->input, input.data(), shared_->length);
        std::ofstream(file_, std::ios::binary)
            .write(input.data(), static_cast<std::streamsize>(input.size()));
        shared_->started = Clock::now().time_since_epoch().count();
        bool accepted = false;
        std::string problem = problem_with(reader_, input, file_, accepted);
        shared_->started = 0;
        ++shared_->inputs;
        if (accepted) ++shared_->accepted;
        if (problem.empty() && must_be_accepted && !accepted) problem = "a sound file is refused";
        if (problem.empty()) return true;
        std::strncpy(shared_->problem, printable(problem, longest_problem - 1).c_str(),
                     longest_problem - 1);
        return false;
    }

    fs::path folder() const { return file_.parent_path(); }

  private:
    const Reader& reader_;
    fs::path file_;
    const SharedMemory& shared_;
};

bool read_mutations(Worker& worker, const Reader& reader, const Limits& limits) {
    const std::vector<std::string> seeds = reader.seeds(worker.folder());
    for (const std::string& seed : seeds)
        if (!worker.take(seed, true)) return false;
    Random random(limits.seed ^ std::hash<std::string>{}(reader.name));
    const auto end = Clock::now() + limits.duration;
    for (std::uint64_t i = 0; i < limits.most_inputs && Clock::now() < end; ++i) {
        const std::string& seed = random.pick(seeds);
        // One third of the JSON mutations damage the text, the others the values.
        const bool of_values = reader.format == Format::json && !random.one_in(3);
        std::string input =
            of_values ? mutated_json(seed, random) : mutated_text(seed, seeds, random);
        if (of_values && random.one_in(4)) input = mutated_text(input, seeds, random);
        if (!worker.take(input)) return false;
    }
    return true;
}

void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
    const rlimit memory{rlim_t{4} << 30, rlim_t{4} << 30};
    setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

// Kills the process if one input takes too long. Returns the reason for the end; "" for an orderly
// end.
std::string end_of(pid_t process, const SharedMemory& shared, std::chrono::milliseconds longest) {
    for (;;) {
        int status = 0;
        if (waitpid(process, &status, WNOHANG) == process) {
            if (WIFSIGNALED(status))
                return fmt::format("the reader ended by signal {} ({})", WTERMSIG(status),
                                   strsignal(WTERMSIG(status)));
            if (WEXITSTATUS(status) == orderly_end) return "";
            return shared->problem[0] != 0
                       ? shared->problem
                       : fmt::format("the reader ended the process with {}", WEXITSTATUS(status));
        }
        const Clock::rep started = shared->started;
        if (started != 0 && Clock::now().time_since_epoch() - Clock::duration(started) > longest) {
            kill(process, SIGKILL);
            waitpid(process, nullptr, 0);
            return fmt::format("the reader took more than {} ms", longest.count());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

Result supervise(const Reader& reader, const Limits& limits,
                 const std::function<bool(Worker& worker)>& work) {
    const SharedMemory shared;
    const Folder folder;
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("cannot start a process for the fuzz test");
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
            ::signal(signal, SIG_DFL);  // Catch's handlers cannot report from this process
        limit_memory();
        Worker worker(reader, folder.path(), shared);
        _exit(work(worker) ? orderly_end : problem_found);
    }
    Result result;
    result.problem = end_of(process, shared, limits.longest_input);
    result.inputs = shared->inputs;
    result.accepted = shared->accepted;
    if (result.problem.empty()) return result;
    const fs::path kept =
        fs::temp_directory_path() / fmt::format("camber-fuzz-{}-{}.input", limits.seed, getpid());
    std::ofstream(kept, std::ios::binary)
        .write(shared->input, static_cast<std::streamsize>(shared->length));
    result.kept = kept;
    return result;
}

}  // namespace

Result run_supervised(const Reader& reader, const Limits& limits) {
    return supervise(reader, limits,
                     [&](Worker& worker) { return read_mutations(worker, reader, limits); });
}

Result replay(const Reader& reader, const std::string& input, const Limits& limits) {
    return supervise(reader, limits, [&](Worker& worker) {
        reader.seeds(worker.folder());  // creates the other files that readers need
        return worker.take(input);
    });
}

}  // namespace camber::fuzz
