#include "harness/own/library/library_variant.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/groups/pipeline.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/own/bound_arguments.hpp"
#include "harness/own/kernel_plan.hpp"
#include "harness/own/library/launch_library.hpp"

namespace camber {

namespace {

// What the variant's names and stages refer to.
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
    // A torus's halo by copies: first beside the rows, then whole rows with what is beside them.
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
