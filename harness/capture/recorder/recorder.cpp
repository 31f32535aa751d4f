#include "harness/capture/recorder/recorder.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "harness/base/error.hpp"

namespace camber::capture {

namespace {

namespace fs = std::filesystem;

// Kernel times for a program's median.
constexpr std::size_t most_times = 1000;
// Between two reports of a list.
constexpr std::chrono::seconds report_interval{2};
constexpr std::uint32_t flush_milliseconds = 1000;

// Set while the recorder itself calls the driver, whose callbacks are then ignored.
thread_local bool inside = false;

class Inside {
  public:
    Inside() { inside = true; }
    ~Inside() { inside = false; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

std::string demangled(const std::string& symbol) {
    int status = 0;
    char* const name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
    std::string text = name != nullptr ? name : symbol;
    std::free(name);
    return text;
}

void on_cupti_call(void* recorder, int domain, std::uint32_t call, const void* data) {
    auto* const self = static_cast<Recorder*>(recorder);
    if (domain == cupti_driver_calls) {
        if (!inside) self->on_launch(call, *static_cast<const CuptiCall*>(data));
        return;
    }
    if (domain != cupti_resources || call != cupti_module_loaded) return;
    const auto* const module =
        static_cast<const CuptiModule*>(static_cast<const CuptiResource*>(data)->description);
    if (module != nullptr && module->image != nullptr)
        self->on_module({module->image, module->bytes});
}

// Replaces a file as a whole.
void write_text(const fs::path& path, const std::string& text) {
    const fs::path temporary = path.string() + ".tmp";
    {
        std::ofstream file(temporary, std::ios::binary);
        file << text;
        if (!file.flush())
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot write \"{}\": the disk may be full", path.string()));
    }
    fs::permissions(temporary, fs::perms::owner_read | fs::perms::owner_write);
    fs::rename(temporary, path);
}

}  // namespace

Recorder::Recorder(Job job)
    : job_(std::move(job)),
      modules_([this](const std::string& symbol) { return matches(symbol); }) {
    if (!job_.list && regcomp(&expression_, job_.kernel.c_str(), REG_EXTENDED | REG_NOSUB) != 0)
        throw Error(ExitCode::usage,
                    fmt::format("--kernel '{}' is no extended regular expression", job_.kernel));
    report_.process = getpid();
}

Recorder::~Recorder() {
    if (!job_.list) regfree(&expression_);
}

void Recorder::start() {
    const std::vector<Cupti> libraries = Cupti::candidates(job_.cupti_folders);
    if (libraries.empty())
        return fail(
            "no libcupti can be loaded: install CUPTI (Debian: cuda-cupti-13-0), or put "
            "its folder into LD_LIBRARY_PATH");
    int error = 0;
    for (const Cupti& library : libraries) {
        cupti_ = library;
        if (job_.list) {
            error = start_kernel_records(cupti_, [this](const CuptiKernelRecord& record) {
                list_.add(record);
                // For programs that do not end by exit().
                const auto now = std::chrono::steady_clock::now();
                if (now - last_report_ < report_interval) return;
                last_report_ = now;
                write_report();
            });
            if (error != 0) continue;
            cupti_.flush_period(flush_milliseconds);
            return;
        }
        error = cupti_.subscribe(&subscriber_, on_cupti_call, this);
        if (error == cupti_second_client) break;
        if (error != 0) continue;
        for (const std::uint32_t call : cupti_launch_calls)
            cupti_.enable_callback(1, subscriber_, cupti_driver_calls, call);
        cupti_.enable_callback(1, subscriber_, cupti_resources, cupti_module_loaded);
        return;
    }
    if (error == cupti_second_client)
        return fail(
            "another tool uses CUPTI in this program, and CUPTI serves one alone: run it "
            "without nsys, ncu, torch.profiler and other profilers");
    fail(fmt::format("CUPTI cannot be used in this program: {}", cupti_.described(error)));
}

void Recorder::fail(const std::string& sentence) {
    report_.failure = sentence;
    state_ = State::done;
    write_report();
}

bool Recorder::matches(const std::string& symbol) const {
    return regexec(&expression_, symbol.c_str(), 0, nullptr, 0) == 0 ||
           regexec(&expression_, demangled(symbol).c_str(), 0, nullptr, 0) == 0;
}

void Recorder::on_module(std::string_view image) {
    if (state_ != State::done) modules_.add(image);
}

void Recorder::on_launch(std::uint32_t call, const CuptiCall& data) {
    const State state = state_;
    if (state == State::done || data.parameters == nullptr) return;
    const auto give_up = [&](const std::string& sentence) {
        snapshot_.reset();
        fail(sentence);
        if (capture_lock_.owns_lock()) capture_lock_.unlock();
    };
    try {
        if (data.site == 0)
            before_launch(call, data);
        else if (state == State::in_launch && capturing_thread_ == std::this_thread::get_id())
            after_launch(data);
    } catch (const Error& error) {
        give_up(error.what());
    } catch (const DriverFailure& failure) {
        give_up(failure.sentence());
    } catch (const std::exception& error) {
        give_up(fmt::format("the launch cannot be captured: {}", error.what()));
    }
}

Recorder::Kernel& Recorder::kernel_of(CuFunction function, const char* symbol) {
    Kernel& kernel = kernels_[function];
    // A handle may be used again for another kernel when its module is unloaded.
    if (kernel.symbol.empty() || std::strcmp(kernel.symbol.c_str(), symbol) != 0) {
        replaced_[kernel.symbol] += kernel.launches;
        kernel = {symbol, matches(symbol), 0};
    }
    return kernel;
}

void Recorder::before_launch(std::uint32_t call, const CuptiCall& data) {
    std::unique_lock lock(mutex_);
    if (state_ == State::done) return;
    Kernel& kernel = kernel_of(function_in(call, data), data.symbol != nullptr ? data.symbol : "");
    const bool is_chosen = report_.chosen.empty() || report_.chosen == kernel.symbol;
    if (!kernel.matches || !is_chosen) {
        ++kernel.launches;
        return;
    }
    const RequestedLaunch launch = requested(call, data);
    const Inside calls_are_ours;
    int recorded = 0;
    if (driver().stream_is_recorded(launch.stream, &recorded) == cu_success && recorded != 0) {
        ++report_.in_graphs;
        return;
    }
    ++kernel.launches;
    if (report_.chosen.empty()) {
        if (job_.count) {
            report_.chosen = kernel.symbol;
            return;
        }
        for (const std::string_view library : {"nccl", "nvshmem"})
            if (kernel.symbol.find(library) != kernel.symbol.npos)
                throw Error(ExitCode::unavailable,
                            fmt::format("{} waits for kernels of other processes, which a replay "
                                        "has not: capture another kernel",
                                        demangled(kernel.symbol)));
        if (!claim()) {
            state_ = State::done;
            stop_watching();
            return;
        }
        report_.chosen = kernel.symbol;
        describe(kernel, launch.function);
        captured_grid_ = launch.grid;
        captured_block_ = launch.block;
        start_kernel_records(cupti_,
                             [this](const CuptiKernelRecord& record) { time_kernel(record); });
        // Handlers run in reverse order: this one before those of CUPTI's libraries.
        if (finish_ != nullptr) std::atexit(finish_);
    }
    if (job_.count || kernel.launches < job_.launches[next_launch_]) return;
    begin_capture(kernel, launch);
    captured_correlations_.push_back(data.correlation);
    capturing_thread_ = std::this_thread::get_id();
    state_ = State::in_launch;
    capture_lock_ = std::move(lock);
}

void Recorder::describe(const Kernel& kernel, CuFunction function) {
    const Driver& cuda = driver();
    file_.program = job_.program;
    file_.kernel = kernel.symbol;
    CuDevice device = 0;
    check(cuda.context_device(&device), "looking for the device");
    char name[256] = "";
    cuda.device_name(name, sizeof name, device);
    file_.device = name;
    int major = 0;
    int minor = 0;
    cuda.device_attribute(&major, cu_device_capability_major, device);
    cuda.device_attribute(&minor, cu_device_capability_minor, device);
    file_.compute_capability = 10 * major + minor;
    CuFunction in_context = nullptr;
    if (cuda.kernel_function(&in_context, function) == cu_success && in_context != nullptr)
        function = in_context;
    const auto attribute = [&](int id, int usual) {
        int value = 0;
        return cuda.function_attribute(&value, id, function) == cu_success ? value : usual;
    };
    constexpr int chosen_by_driver = -1;
    file_.kernel_attributes = {attribute(cu_function_max_dynamic_shared, 0),
                               attribute(cu_function_carveout, chosen_by_driver),
                               attribute(cu_function_non_portable_cluster, 0)};
}

void Recorder::begin_capture(const Kernel& kernel, const RequestedLaunch& requested) {
    const Driver& cuda = driver();
    RequestedLaunch launch = requested;
    // The runtime passes a CUkernel, which has a function in each context.
    CuFunction function = nullptr;
    if (cuda.kernel_function(&function, launch.function) == cu_success && function != nullptr)
        launch.function = function;
    const ByteVector* code = modules_.with_kernel(kernel.symbol);
    if (code == nullptr) {
        cuda.load_function(launch.function);  // modules are loaded late
        code = modules_.with_kernel(kernel.symbol);
    }
    if (code == nullptr)
        throw Error(ExitCode::unavailable,
                    fmt::format("the machine code of {} was not seen when the program loaded it, "
                                "so its launch cannot be replayed",
                                demangled(kernel.symbol)));
    const std::vector<Parameter> parameters = parameters_of(launch.function);
    snapshot_.emplace(launch, parameters, variables_in(*code), job_.most_bytes, job_.folder);
    file_.parameters = parameters;
}

void Recorder::after_launch(const CuptiCall& data) {
    const std::unique_lock lock = std::move(capture_lock_);
    const Inside calls_are_ours;
    if (data.result != nullptr && *static_cast<const CuResult*>(data.result) != cu_success)
        throw Error(
            ExitCode::unavailable,
            fmt::format("the program's own launch of {} failed: {}", demangled(file_.kernel),
                        driver().described(*static_cast<const CuResult*>(data.result))));
    const std::uint64_t number = job_.launches[next_launch_];
    if (file_.code.name.empty())
        file_.code =
            write_packed(job_.folder, "kernel.cubin", *modules_.with_kernel(file_.kernel), false);
    file_.launches.push_back(snapshot_->finish(number, fmt::format("launch-{}-", number)));
    for (const std::string& note : snapshot_->notes())
        if (std::ranges::find(file_.notes, note) == file_.notes.end()) file_.notes.push_back(note);
    snapshot_.reset();
    report_.recorded.push_back(number);
    ++next_launch_;
    write_launch_file();
    write_report();
    const bool is_complete = next_launch_ == job_.launches.size();
    state_ = is_complete ? State::done : State::waiting;
    if (is_complete) stop_watching();
}

// Only one of the program's processes records.
bool Recorder::claim() const {
    const fs::path path = fs::path(job_.reports) / "claim";
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) return false;
    close(descriptor);
    return true;
}

void Recorder::stop_watching() {
    for (const std::uint32_t call : cupti_launch_calls)
        cupti_.enable_callback(0, subscriber_, cupti_driver_calls, call);
    cupti_.enable_callback(0, subscriber_, cupti_resources, cupti_module_loaded);
}

void Recorder::time_kernel(const CuptiKernelRecord& record) {
    if (record.name == nullptr || file_.kernel != record.name) return;
    for (std::size_t k = 0; k < 3; ++k)
        if (static_cast<std::uint32_t>(record.grid[k]) != captured_grid_[k] ||
            static_cast<std::uint32_t>(record.block[k]) != captured_block_[k])
            return;
    const std::lock_guard lock(times_mutex_);
    if (times_.size() < most_times)
        times_.push_back({record.correlation, static_cast<float>(record.end - record.start)});
}

void Recorder::write_launch_file() {
    const results::Json json = results::written(file_);
    write_text(fs::path(job_.folder) / launch_file_name, json.dump(1) + "\n");
}

void Recorder::write_report() {
    const std::lock_guard lock(report_mutex_);
    report_.launched = replaced_;
    for (const auto& [function, kernel] : kernels_)
        report_.launched[kernel.symbol] += kernel.launches;
    if (!report_.chosen.empty()) report_.matched = report_.launched[report_.chosen];
    if (job_.list) report_.kernels = list_.kernels();
    try {
        write_text(fs::path(job_.reports) / fmt::format("{}.json", getpid()),
                   results::written(report_).dump() + "\n");
    } catch (const std::exception&) {
        // `camber capture` notices the missing report.
    }
}

void Recorder::finish() {
    const Inside calls_are_ours;
    // A process that was forked after cuInit() has none of the parent's records.
    if (report_.process != getpid() || finished_.exchange(true)) return;
    if (cupti_.complete() && (job_.list || !report_.chosen.empty())) stop_kernel_records(cupti_);
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!report_.recorded.empty()) {
        const std::lock_guard times_lock(times_mutex_);
        std::vector<float> durations;
        for (const Time& time : times_)
            if (std::ranges::find(captured_correlations_, time.correlation) ==
                captured_correlations_.end())
                durations.push_back(time.duration);
        const bool undisturbed = !durations.empty();
        if (!undisturbed)
            for (const Time& time : times_) durations.push_back(time.duration);
        if (!durations.empty()) {
            file_.times = ProgramTimes{durations.size(), median_of(durations), undisturbed};
            try {
                write_launch_file();
            } catch (const std::exception&) {
                // The file without times remains.
            }
        }
    }
    write_report();
}

}  // namespace camber::capture
