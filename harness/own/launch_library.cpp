#include "harness/own/launch_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/groups/pipeline.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/source/code_text.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;

// Converts the library's lines to the comments of a kernel file.
std::string as_comments(std::string_view lines) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        text += fmt::format("// camber: {}\n", lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return text;
}

// Rejects directives that apply only to files that camber compiles.
void reject_what_files_have(const Directives& directives, const std::string& file) {
    const auto reject = [&](int line, const std::string& why) {
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", file, line, why));
    };
    if (directives.kernels.size() > 1)
        reject(directives.kernels[1].line,
               "a library has one launch function, which launches all kernels of a generation: "
               "leave out all lines of kernels but one");
    const KernelDirective& kernel = directives.kernels.front();
    if (!kernel.constants.empty())
        reject(kernel.line,
               fmt::format("constant={0}:{1} fills an array of a file that camber compiles: take "
                           "the numbers as arguments, {1}[0] and so on",
                           kernel.constants.front().first, kernel.constants.front().second));
    if (!kernel.grid.empty() || !kernel.outputs.empty())
        reject(kernel.line, fmt::format("{} is for kernels that camber launches: leave it out, and "
                                        "do the same in the library",
                                        kernel.grid.empty() ? "out=" : "grid="));
    for (const std::string& argument : kernel.arguments)
        if (argument.starts_with("tex2d") || argument.starts_with("tex1d"))
            reject(
                kernel.line,
                fmt::format("{} is made for kernels that camber compiles: take in{} and make the "
                            "texture in the library",
                            argument, argument.substr(5)));
}

}  // namespace

bool is_launch_library(const fs::path& path) {
    return path.extension() == ".so";
}

LaunchLibrary::LaunchLibrary(const fs::path& path) : path_(path), handle_(nullptr, dlclose) {
    const std::string name = path.string();
    std::error_code error;
    if (!fs::is_regular_file(path, error))
        throw Error(ExitCode::usage,
                    fmt::format("there is no file {}: name a shared library", name));
    const CandidateActivity loading(CandidateWork::loading, name, candidate_limits().work);
    // An absolute path, so that dlopen() does not search the system's libraries.
    handle_.reset(dlopen(fs::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!handle_) {
        const std::string why = dlerror();
        throw Error(ExitCode::usage,
                    fmt::format("{} cannot be loaded as a shared library: {}", name, why));
    }
    const int version = *static_cast<const int*>(find("camber_launch_version"));
    if (version != CAMBER_LAUNCH_VERSION)
        throw Error(ExitCode::usage,
                    fmt::format("{} has version {} of the interface, and this camber has version "
                                "{}: compile it with camber's own camber/launch.h",
                                name, version, CAMBER_LAUNCH_VERSION));
    launch_ = reinterpret_cast<int (*)(const CamberLaunch*)>(find("camber_launch"));
    const auto* const lines = static_cast<const char*>(find("camber_launch_line"));
    directives_ = parse_directives(as_comments(lines), name);
    if (directives_.kernels.empty())
        throw Error(ExitCode::usage,
                    fmt::format("CAMBER_LAUNCH of {} contains no launch line; try: \"{}\"",
                                name, std::string_view(example_line).substr(11)));
    reject_what_files_have(directives_, name);
}

void* LaunchLibrary::find(const char* symbol) const {
    if (void* const found = dlsym(handle_.get(), symbol)) return found;
    throw Error(ExitCode::usage,
                fmt::format("{} does not export {}: write its launch function behind "
                            "CAMBER_LAUNCH(...) of camber/launch.h",
                            path_.string(), symbol));
}

void LaunchLibrary::launch(std::span<const CamberArgument> arguments, void* stream) const {
    const CamberLaunch launch{arguments.data(), static_cast<int>(arguments.size()), stream};
    const int result = [&] {
        const CandidateActivity launching(CandidateWork::launching, path_.string(),
                                          candidate_limits().work);
        return launch_(&launch);
    }();
    if (result != 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("the launch function of {} returned {}, which as a cudaError_t "
                                "says why it could not launch: mend it there",
                                path_.string(), result));
}

namespace {

// Data that the variant's names and stages refer to.
struct LoadedLibrary {
    LaunchLibrary library;
    const Workload& workload;
    BoundKernel kernel;
    std::string name;
    std::string summary;
    std::string path;
};

class LibraryStage final : public Stage {
  public:
    LibraryStage(const StageContext& context, std::shared_ptr<const LoadedLibrary> loaded)
        : context_(context),
          loaded_(std::move(loaded)),
          bound_(context, loaded_->kernel, loaded_->workload),
          queue_(context.queue) {}

    void uploaded() override {
        if (context_.problem.boundary != Boundary::torus) return;
        for (const FieldUse& use : loaded_->kernel.fields)
            if (use.read) fill_halo(use.name, context_.store.current(use.name));
    }
    void enqueue(int number) override {
        std::vector<CamberArgument> values;
        for (const Argument& argument : loaded_->kernel.arguments) {
            CamberArgument& value = values.emplace_back();
            if (argument.is_pointer())
                value.cells = bound_.cells(argument);
            else
                value.number = bound_.number(argument, number);
        }
        watch_launch();
        loaded_->library.launch(values, queue_.stream());
    }
    void refresh_halo() override {
        for (const FieldUse& use : loaded_->kernel.fields)
            if (use.written) fill_halo(use.name, context_.store.next(use.name));
    }

  private:
    // Fills a torus's halo by copies: first the side columns of the rows, then whole rows including
    // them.
    void fill_halo(const std::string& field, void* base) const {
        const Layout layout = context_.store.layout(field);
        if (layout.halo == 0) return;
        const auto size = static_cast<std::size_t>(info(context_.store.element(field)).size);
        const std::size_t pitch = static_cast<std::size_t>(layout.pitch) * size;
        const auto cell = [&](int row, int column) {
            return static_cast<std::byte*>(base) +
                   (layout.origin() + static_cast<std::ptrdiff_t>(row) * layout.pitch + column) *
                       static_cast<std::ptrdiff_t>(size);
        };
        const auto copy = [&](std::byte* to, const std::byte* from, int columns, int rows) {
            context_.queue.copy(
                {to,
                 pitch,
                 from,
                 pitch,
                 {static_cast<std::size_t>(columns) * size, static_cast<std::size_t>(rows)}});
        };
        const int halo = layout.halo;
        copy(cell(0, -halo), cell(0, layout.columns - halo), halo, layout.rows);
        copy(cell(0, layout.columns), cell(0, 0), halo, layout.rows);
        const int width = layout.columns + 2 * halo;
        copy(cell(-halo, -halo), cell(layout.rows - halo, -halo), width, halo);
        copy(cell(layout.rows, -halo), cell(0, -halo), width, halo);
    }

    StageContext context_;
    std::shared_ptr<const LoadedLibrary> loaded_;
    BoundArguments bound_;
    NativeQueue queue_;
};

std::optional<std::string> halo_of_itself(const Problem& problem, int halo) {
    if (problem.boundary != Boundary::torus ||
        (halo <= problem.size.columns && halo <= problem.size.rows))
        return std::nullopt;
    return fmt::format("needs a torus of at least {} x {} cells, as wide as its halo", halo, halo);
}

BoundKernel bound_kernel(const LaunchLibrary& library, const Workload& workload, ElementType cell) {
    const std::string file = library.path().string();
    const Directives& said = library.directives();
    if (!said.workload.empty() && said.workload != workload.name())
        throw Error(
            ExitCode::usage,
            fmt::format("{}:{}: its kernels compute {}, and {} is asked for: give "
                        "--workload {}",
                        file, said.workload_line, said.workload, workload.name(), said.workload));
    if (named_arrays_of(workload))
        throw Error(ExitCode::usage,
                    fmt::format("{} launches kernels on boards, and {} consists of arrays: give the "
                                "kernel's source",
                                file, workload.name()));
    const Supply supply =
        supply_of(workload, cell, ParameterSet(workload.facts().parameters), said, file);
    return bind_kernels(said, supply, file).front();
}

}  // namespace

Variant library_variant(const std::filesystem::path& path, const Workload& workload,
                        ElementType cell) {
    LaunchLibrary library(path);
    BoundKernel kernel = bound_kernel(library, workload, cell);
    const auto loaded = std::make_shared<const LoadedLibrary>(
        LoadedLibrary{std::move(library), workload, std::move(kernel),
                      CacheFolder::part(path.filename().string()),
                      fmt::format("the launch function of {}", path.string()), path.string()});
    StepPlan plan =
        kernel_plan(loaded->kernel, {loaded->name, loaded->summary, loaded->path, Family::other},
                    [loaded](const StageContext& context) -> std::unique_ptr<Stage> {
                        return std::make_unique<LibraryStage>(context, loaded);
                    });
    plan.unsupported = [own = plan.unsupported,
                        loaded](const Problem& problem) -> std::optional<std::string> {
        if (auto reason = own(problem)) return reason;
        return halo_of_itself(problem, loaded->kernel.directive.halo);
    };
    return pipeline_variant(std::string(workload.name()), cell, Backend::cuda, "", plan, {plan});
}

}  // namespace camber
