#include "harness/candidate/candidate_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/kernel/resident_blocks.hpp"
#include "harness/simt/host_queue.hpp"

namespace camber {

struct CandidateStage::HostWork {
    std::shared_ptr<CandidateProgram> program;
    ArgumentValues arguments;
    std::deque<PlainTexture> textures;
    std::vector<PlainField> fields;
    std::unique_ptr<PlainLaunch> launch;
};

namespace {

unsigned blocks(int cells, int per_block) {
    return static_cast<unsigned>((cells + per_block - 1) / per_block);
}

PlainField plain_field(const FieldStore& store, const std::string& name, bool next) {
    return {name, next ? store.next(name) : store.current(name), store.layout(name),
            info(store.element(name)).size};
}

}  // namespace

CandidateStage::CandidateStage(const StageContext& context,
                               std::shared_ptr<CandidateProgram> program, std::size_t kernel)
    : context_(context),
      program_(std::move(program)),
      number_(kernel),
      kernel_(program_->kernels()[kernel]),
      bound_(context, kernel_, program_->workload()) {
    const KernelDirective& directive = kernel_.directive;
    const Size size = context.problem.size;
    shape_.grid = {blocks(size.columns, directive.region.columns),
                   blocks(size.rows, directive.region.rows)};
    shape_.block = {static_cast<unsigned>(directive.block.columns),
                    static_cast<unsigned>(directive.block.rows)};
    shape_.dynamic_shared = directive.shared_bytes;
    if (on_device()) device_ = &program_->device(context.queue.limits().compute_capability);
    if (directive.cooperative) take_resident_blocks();
    for (const Argument& argument : kernel_.arguments)
        if (argument.is_texture() && context.store.layout(argument.field).halo != 0)
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: {} is a texture, whose addressing takes the halo's "
                                    "place: leave out halo=",
                                    program_->path(), directive.line, argument.text));
    fill_constants();
}

// As many as the device holds at once, but no more than cover the board.
void CandidateStage::take_resident_blocks() {
    const unsigned covering = shape_.grid.x * shape_.grid.y;
    void (*const kernel_of_host)() = nullptr;
    const int resident = on_device()
                             ? device_->resident_blocks(program_->device_symbol(number_), shape_)
                             : resident_blocks(context_.queue, kernel_of_host, shape_);
    shape_.grid = {std::clamp(static_cast<unsigned>(resident), 1u, covering)};
    shape_.cooperative = true;
}

void CandidateStage::fill_constants() {
    std::size_t first = 0;  // of this kernel's constants among all
    for (std::size_t i = 0; i < number_; ++i)
        first += program_->kernels()[i].directive.constants.size();
    const auto& constants = kernel_.directive.constants;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const auto& [symbol, number] = constants[i];
        const std::vector<double>& values = bound_.numbers(number);
        const CamberConstant& known = program_->host().constant(first + i);
        if (known.count < values.size())
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: {} has room for {} numbers, and {} are {}: make the "
                                    "__constant__ array larger",
                                    program_->path(), kernel_.directive.line, symbol, known.count,
                                    number, values.size()));
        std::vector<std::byte> bytes(values.size() * known.element.size);
        for (std::size_t k = 0; k < values.size(); ++k)
            put_number(bytes.data() + k * known.element.size, values[k], known.element);
        if (on_device())
            context_.queue.upload(device_->variable(symbol, bytes.size()), bytes.size(),
                                  bytes.data(), bytes.size(), {bytes.size(), 1});
        else
            std::copy(bytes.begin(), bytes.end(), static_cast<std::byte*>(known.address));
    }
}

void CandidateStage::enqueue(int number) {
    const auto work = std::make_shared<HostWork>();
    const ParameterTypes& types = program_->types(number_);
    const FieldStore& store = context_.store;
    for (std::size_t i = 0; i < kernel_.arguments.size(); ++i) {
        const Argument& argument = kernel_.arguments[i];
        if (argument.is_pointer()) {
            work->arguments.add_pointer(bound_.cells(argument));
        } else if (argument.is_texture()) {
            const TextureShape shape = argument.kind == Argument::Kind::texture_2d
                                           ? TextureShape::pitched
                                           : TextureShape::linear;
            void* handle = nullptr;
            if (on_device()) {
                const void* const base = store.current(argument.field);
                auto& texture = textures_[{base, shape}];
                if (!texture)
                    texture = device_->texture(base, store.element(argument.field),
                                               store.layout(argument.field), shape);
                handle = reinterpret_cast<void*>(texture->handle());
            } else {
                handle = &work->textures.emplace_back(
                    PlainTexture{plain_field(store, argument.field, false), shape});
            }
            work->arguments.add_pointer(handle);
        } else {
            work->arguments.add_number(bound_.number(argument, number), types[i].type);
        }
    }
    const std::string name = kernel_.directive.kernel;
    if (on_device())
        return device_->launch(context_.queue, program_->device_symbol(number_), name.c_str(),
                               shape_, work->arguments.pointers());
    for (const FieldUse& use : kernel_.fields) {
        work->fields.push_back(plain_field(store, use.name, false));
        if (use.written) work->fields.push_back(plain_field(store, use.name, true));
    }
    launch_on_host(number_, name.c_str(), shape_, work);
}

void CandidateStage::launch_on_host(std::size_t kernel, const char* name, const LaunchShape& shape,
                                    std::shared_ptr<HostWork> work) {
    work->program = program_;
    work->launch = std::make_unique<PlainLaunch>(program_->host(), std::move(work->fields),
                                                 shape.dynamic_shared, program_->options().limit,
                                                 shape.cooperative);
    static_cast<simt::HostQueue&>(context_.queue)
        .launch(name, shape, [work, called = &program_->host().kernel(kernel)] {
            work->launch->run_thread(*called, work->arguments.pointers());
        });
}

void CandidateStage::fill_halo(const std::string& field, bool next) {
    constexpr int threads = 128;
    const FieldStore& store = context_.store;
    const Layout layout = store.layout(field);
    const int cells = 2 * layout.halo * (layout.columns + 2 * layout.halo + layout.rows);
    if (cells == 0) return;
    const auto work = std::make_shared<HostWork>();
    const std::size_t kernel = program_->torus_kernel(info(store.element(field)).size);
    void* const base = next ? store.next(field) : store.current(field);
    work->arguments.add_pointer(static_cast<std::byte*>(base) +
                                layout.origin() * info(store.element(field)).size);
    const CamberType number{CamberType::integer, 4};
    for (const int value : {layout.columns, layout.rows, layout.pitch, layout.halo})
        work->arguments.add_number(value, number);
    const LaunchShape shape{{blocks(cells, threads)}, {threads}};
    if (on_device())
        return device_->launch(context_.queue, program_->device_symbol(kernel), "torus_halo", shape,
                               work->arguments.pointers());
    work->fields.push_back(plain_field(store, field, next));
    launch_on_host(kernel, "torus_halo", shape, work);
}

// Of fields that the kernel does not write itself, too: those are filled once they are written.
void CandidateStage::uploaded() {
    if (context_.problem.boundary != Boundary::torus) return;
    for (const FieldUse& use : kernel_.fields)
        if (use.read) fill_halo(use.name, false);
}

void CandidateStage::refresh_halo() {
    for (const FieldUse& use : kernel_.fields)
        if (use.written) fill_halo(use.name, true);
}

}  // namespace camber
