#include "harness/own/candidate_variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/own/host/plain_launch.hpp"
#include "harness/own/program.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// Stage that launches one kernel of the file.
class CandidateStage final : public Stage {
  public:
    CandidateStage(const StageContext& context, std::shared_ptr<CandidateProgram> program,
                   std::size_t kernel);

    void uploaded() override;
    void enqueue(int number) override;
    void refresh_halo() override;

  private:
    // Data of a launch on the executor that must outlive it.
    struct HostWork;

    // Output and the field that it starts as a copy of; "": it starts as zeros.
    struct OutputInit {
        std::string field;
        std::string copied;
        bool zero_outside = true;  // halo and padding are set to zero, too
    };

    bool on_device() const { return context_.queue.backend() == Backend::cuda; }
    void take_grid();
    void take_resident_blocks();
    void take_output_starts();
    std::string copied_field(const FieldUse& output) const;
    void start_outputs();
    void fill_constants();
    void fill_constant_arrays();
    const NamedArray* array_named(const std::string& name) const;
    void check_textures() const;
    void fill_halo(const std::string& field, bool next);
    void launch_on_host(std::size_t kernel, const char* name, const LaunchShape& shape,
                        std::shared_ptr<HostWork> work);

    StageContext context_;
    std::shared_ptr<CandidateProgram> program_;
    std::size_t number_;
    const BoundKernel& kernel_;
    BoundArguments bound_;
    LaunchShape shape_;
    std::vector<OutputInit> output_starts_;
    std::map<std::pair<const void*, TextureShape>, std::unique_ptr<DeviceTexture>> textures_;
    DeviceLibrary* device_ = nullptr;
};

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

// `arrays`: of an array problem, whose elements may be larger than those of the store.
PlainField plain_field(const FieldStore& store, const std::vector<NamedArray>& arrays,
                       const std::string& name, bool next) {
    PlainField field{name, next ? store.next(name) : store.current(name), store.layout(name),
                     info(store.element(name)).size, {}};
    const auto array = std::ranges::find(arrays, name, &NamedArray::name);
    if (array == arrays.end()) return field;
    const Size lines = array->lines();
    field.element_size = array->type.bytes();
    field.layout = Layout::make(lines.columns, lines.rows, 0, 1, field.element_size);
    field.shape = array->shape;
    return field;
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
                    static_cast<unsigned>(directive.block.rows),
                    static_cast<unsigned>(directive.block_depth)};
    shape_.dynamic_shared = directive.shared_bytes;
    if (on_device()) device_ = &program_->device(context.queue.limits().compute_capability);
    if (!kernel_.grid.empty()) take_grid();
    if (directive.cooperative) take_resident_blocks();
    take_output_starts();
    check_textures();
    fill_constants();
}

const NamedArray* CandidateStage::array_named(const std::string& name) const {
    const auto& arrays = program_->arrays();
    const auto found = std::ranges::find(arrays, name, &NamedArray::name);
    return found == arrays.end() ? nullptr : &*found;
}

void CandidateStage::check_textures() const {
    constexpr std::int64_t row_unit = 32;  // texturePitchAlignment of all devices
    for (const Argument& argument : kernel_.arguments) {
        if (!argument.is_texture()) continue;
        const auto reject = [&](const std::string& why) {
            throw Error(ExitCode::usage, fmt::format("{}:{}: {}", program_->path(),
                                                     kernel_.directive.line, why));
        };
        if (context_.store.layout(argument.field).halo != 0)
            reject(fmt::format("{} is a texture, whose addressing takes the halo's place: leave "
                               "out halo=",
                               argument.text));
        const NamedArray* const array = array_named(argument.field);
        if (!array) continue;
        if (array->type.lanes != 1 || array->type.bytes() != info(array->storage()).size ||
            array->type.scalar == Scalar::int8 || array->type.scalar == Scalar::float64)
            reject(fmt::format("{} is a texture of {}, and textures have elements of uint8, int32, "
                               "uint32 or float32: choose one of them",
                               argument.text, array->type.name()));
        const std::int64_t row = array->shape.back() * array->type.bytes();
        if (argument.kind == Argument::Kind::texture_2d && row % row_unit != 0)
            reject(fmt::format("the rows of texture {} have {} bytes, and a multiple of {} is "
                               "needed: give another shape",
                               argument.field, row, row_unit));
    }
}

// Maximum grid extents: CUDA C++ Programming Guide, table of compute capabilities.
void CandidateStage::take_grid() {
    constexpr double most[] = {2147483647, 65535, 65535};
    unsigned extents[] = {1, 1, 1};
    for (std::size_t i = 0; i < kernel_.grid.size(); ++i) {
        const double blocks = bound_.number(kernel_.grid[i], 0);
        if (!(blocks >= 1 && blocks <= most[i]))
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: grid={} is {} blocks{}, and a grid has 1 to {} along "
                                    "{}: write another expression",
                                    program_->path(), kernel_.directive.line, kernel_.grid[i].text,
                                    blocks,
                                    program_->arrays().empty()
                                        ? fmt::format(" on a board of {}x{}",
                                                      context_.problem.size.columns,
                                                      context_.problem.size.rows)
                                        : std::string(),
                                    most[i], "xyz"[i]));
        extents[i] = static_cast<unsigned>(blocks);
    }
    shape_.grid = {extents[0], extents[1], extents[2]};
}

void CandidateStage::take_output_starts() {
    for (const FieldUse& use : kernel_.fields) {
        if (!use.written) continue;
        const OutputStart start = start_of_output(kernel_.directive, use.name);
        if (start == OutputStart::undefined) continue;
        output_starts_.push_back(
            {use.name, start == OutputStart::copy ? copied_field(use) : std::string(),
             std::ranges::all_of(use.outside, [](std::byte b) { return b == std::byte{0}; })});
    }
}

// Field that initializes the output: the field itself, else the only input with elements of that
// size.
std::string CandidateStage::copied_field(const FieldUse& output) const {
    if (output.read) return output.name;
    std::vector<std::string> inputs;
    const Layout own = context_.store.layout(output.name);
    for (const FieldUse& use : kernel_.fields) {
        const Layout other = context_.store.layout(use.name);
        if (use.read && info(use.element).size == info(output.element).size &&
            other.columns == own.columns && other.rows == own.rows)
            inputs.push_back(use.name);
    }
    if (inputs.size() == 1) return inputs.front();
    throw Error(ExitCode::usage,
                fmt::format("{}:{}: out=copy copies the kernel's input, and {} inputs have cells "
                            "like those of {}: choose out.{}=zeros",
                            program_->path(), kernel_.directive.line, inputs.size(), output.name,
                            output.name));
}

// Initializes outputs, like an application's cudaMemset() or cudaMemcpy() before a launch.
void CandidateStage::start_outputs() {
    const FieldStore& store = context_.store;
    for (const OutputInit& start : output_starts_) {
        const Layout layout = store.layout(start.field);
        const auto size = static_cast<std::size_t>(info(store.element(start.field)).size);
        const auto interior = [&](void* base, const Layout& of) {
            return static_cast<std::byte*>(base) + of.origin() * static_cast<std::ptrdiff_t>(size);
        };
        std::byte* const to = interior(store.next(start.field), layout);
        const std::size_t pitch = static_cast<std::size_t>(layout.pitch) * size;
        const std::size_t width = static_cast<std::size_t>(layout.columns) * size;
        const auto rows = static_cast<std::size_t>(layout.rows);
        if (!start.copied.empty()) {
            const Layout from = store.layout(start.copied);
            context_.queue.copy({to,
                                 pitch,
                                 interior(store.current(start.copied), from),
                                 static_cast<std::size_t>(from.pitch) * size,
                                 {width, rows}});
            continue;
        }
        const std::vector<std::byte> zero(size);
        if (start.zero_outside) {
            context_.queue.fill(store.next(start.field), layout.elements(), zero);
            continue;
        }
        for (std::size_t row = 0; row < rows; ++row)
            context_.queue.fill(to + row * pitch, static_cast<std::size_t>(layout.columns), zero);
    }
}

// Sets the grid of a cooperative launch: as many blocks as can be resident, but no more than cover
// the board.
void CandidateStage::take_resident_blocks() {
    const unsigned covering = shape_.grid.x * shape_.grid.y * shape_.grid.z;
    void (*const kernel_of_host)() = nullptr;
    const int resident = on_device()
                             ? device_->resident_blocks(program_->device_symbol(number_), shape_)
                             : resident_blocks(context_.queue, kernel_of_host, shape_);
    shape_.grid = {std::clamp(static_cast<unsigned>(resident), 1u, covering)};
    shape_.cooperative = true;
}

void CandidateStage::fill_constants() {
    std::size_t first = 0;  // index of this kernel's first constant among those of all kernels
    for (std::size_t i = 0; i < number_; ++i)
        first += program_->kernels()[i].directive.constants.size();
    const auto& constants = kernel_.directive.constants;
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const auto& [symbol, number] = constants[i];
        if (array_named(number)) continue;  // its values may change: fill_constant_arrays()
        const auto word = program_->words().find(number);
        const std::vector<double> values = word != program_->words().end()
                                               ? std::vector{word->second.number}
                                               : bound_.numbers(number);
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

// On a device once per upload, before launches are timed. On the executor, where the variables
// belong to all executions of the program, before each launch.
void CandidateStage::fill_constant_arrays() {
    std::size_t number = 0;
    for (std::size_t i = 0; i < number_; ++i)
        number += program_->kernels()[i].directive.constants.size();
    for (const auto& [symbol, name] : kernel_.directive.constants) {
        const CamberConstant& known = program_->host().constant(number++);
        const NamedArray* const array = array_named(name);
        if (!array) continue;
        const auto bytes = static_cast<std::size_t>(array->bytes());
        const void* const from = context_.store.current(name);
        if (on_device())
            context_.queue.copy(device_->variable(symbol, bytes), from, bytes);
        else
            std::memcpy(known.address, from, bytes);
    }
}

void CandidateStage::enqueue(int number) {
    start_outputs();
    if (!on_device()) fill_constant_arrays();
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
                    PlainTexture{plain_field(store, program_->arrays(), argument.field, false), shape});
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
        work->fields.push_back(plain_field(store, program_->arrays(), use.name, false));
        if (use.written) work->fields.push_back(plain_field(store, program_->arrays(), use.name, true));
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
    const CamberType number{CamberType::integer, 4, nullptr};
    for (const int value : {layout.columns, layout.rows, layout.pitch, layout.halo})
        work->arguments.add_number(value, number);
    const LaunchShape shape{{blocks(cells, threads)}, {threads}};
    if (on_device())
        return device_->launch(context_.queue, program_->device_symbol(kernel), "torus_halo", shape,
                               work->arguments.pointers());
    work->fields.push_back(plain_field(store, program_->arrays(), field, next));
    launch_on_host(kernel, "torus_halo", shape, work);
}

// Fills the halo of every field that the kernel reads, even if another kernel writes it.
void CandidateStage::uploaded() {
    if (on_device()) fill_constant_arrays();
    if (context_.problem.boundary != Boundary::torus) return;
    for (const FieldUse& use : kernel_.fields)
        if (use.read) fill_halo(use.name, false);
}

void CandidateStage::refresh_halo() {
    for (const FieldUse& use : kernel_.fields)
        if (use.written) fill_halo(use.name, true);
}

std::unique_ptr<Stage> make_candidate_stage(const StageContext& context,
                                            std::shared_ptr<CandidateProgram> program,
                                            std::size_t kernel) {
    return std::make_unique<CandidateStage>(context, std::move(program), kernel);
}

}  // namespace camber
