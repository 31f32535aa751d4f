#include "harness/capture/replay/captured_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/capture/limits.hpp"
#include "harness/capture/replay/comparison.hpp"
#include "harness/capture/replay/executor_kernel.hpp"
#include "harness/capture/replay/executor_run.hpp"
#include "harness/capture/replay/roles.hpp"
#include "harness/machine/queue/field_store.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/own/array_shapes.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/host/plain_launch.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using capture::Buffer;
using capture::BufferKind;
using capture::ByteVector;
using capture::Element;

struct CapturedProblem {
    capture::Capture capture;
    std::size_t index = 0;
    std::vector<capture::BufferContent> content;
    std::vector<std::size_t> buffers;  // of the arrays, in their order

    const capture::CapturedLaunch& launch() const { return capture.file.launches.at(index); }
};

std::optional<Scalar> scalar_of(Element element) {
    switch (element) {
        case Element::float16:
            return Scalar::float16;
        case Element::bfloat16:
            return Scalar::bfloat16;
        case Element::float32:
            return Scalar::float32;
        case Element::float64:
            return Scalar::float64;
        case Element::bytes:
            break;
    }
    return std::nullopt;
}

// Element type of a buffer: the floating-point type of the parameters that point to it, if they
// agree, else words or bytes.
ArrayType type_of(const Buffer& buffer, std::size_t index, const std::vector<capture::Part>& parts,
                  const std::vector<Element>& elements) {
    std::optional<Scalar> scalar;
    bool agree = true;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (parts[k].buffer != index) continue;
        const auto own = scalar_of(elements[k]);
        if (!own) continue;
        agree = agree && (!scalar || scalar == own);
        scalar = own;
    }
    if (scalar && agree) {
        const ArrayType type{*scalar};
        if (buffer.bytes % static_cast<std::uint64_t>(type.bytes()) == 0) return type;
    }
    return {buffer.bytes % 4 == 0 ? Scalar::uint32 : Scalar::uint8};
}

// Rule that accepts the rounding of a GPU, which contracts products and sums.
ArrayRule rule_for(const ArrayType& type, const std::vector<std::byte>& expected) {
    if (!type.is_real()) return {.exact = true};
    const Element element = type.scalar == Scalar::float16    ? Element::float16
                            : type.scalar == Scalar::bfloat16 ? Element::bfloat16
                            : type.scalar == Scalar::float32  ? Element::float32
                                                              : Element::float64;
    const double relative = capture::rounding_of(element);
    double largest = 0;
    const auto step = static_cast<std::size_t>(type.bytes());
    for (std::size_t at = 0; at + step <= expected.size(); at += step)
        if (const double value = std::abs(number_at(expected.data() + at, type.scalar));
            std::isfinite(value))
            largest = std::max(largest, value);
    return {.absolute = relative * largest, .relative = relative, .nan_equals_nan = true};
}

std::vector<std::byte> as_bytes(const ByteVector& from) {
    const auto bytes = std::as_bytes(std::span(from));
    return {bytes.begin(), bytes.end()};
}

// A candidate over the captured memory.
class CapturedExecution final : public Execution {
  public:
    CapturedExecution(Queue& queue, std::shared_ptr<const CapturedProblem> problem,
                      std::shared_ptr<const capture::ExecutorKernel> kernel,
                      const std::vector<NamedArray>& arrays, std::string name,
                      std::chrono::duration<double> limit)
        : queue_(queue),
          problem_(std::move(problem)),
          kernel_(std::move(kernel)),
          arrays_(arrays),
          name_(std::move(name)),
          limit_(limit),
          store_(queue) {
        constexpr std::uint64_t alignment = 256;
        begins_.resize(problem_->launch().buffers.size(), nullptr);
        for (std::size_t k = 0; k < arrays_.size(); ++k) {
            const NamedArray& array = arrays_[k];
            if (buffer(k).address % alignment != 0)
                throw Unsupported(fmt::format("needs memory at an address that {} divides, and {} "
                                              "was elsewhere in the program",
                                              alignment, array.name));
            const int size = info(array.storage()).size;
            const Size lines = array.storage_size();
            const std::vector<std::byte> zero(static_cast<std::size_t>(size));
            store_.add(array.name, array.storage(),
                       Layout::make(lines.columns, lines.rows, 0, 1, size), zero, Buffers::one);
            begins_[problem_->buffers[k]] =
                static_cast<unsigned char*>(store_.current(array.name));
        }
    }

    void upload(const State& initial) override {
        store_.upload(initial);
        for (std::size_t k = 0; k < arrays_.size(); ++k)
            capture::move_addresses(problem_->launch(), buffer(k).pointers, begins_,
                                    begins_[problem_->buffers[k]]);
    }

    void download(State& result) override {
        store_.download(result);
        for (std::size_t k = 0; k < arrays_.size(); ++k)
            capture::move_addresses(
                problem_->launch(), buffer(k).pointers, begins_,
                reinterpret_cast<unsigned char*>(result.field(arrays_[k].name).bytes().data()),
                capture::Move::back);
    }

    // A capture does not tell the bytes that a launch must write.
    void poison(Poison) override {}

    void advance(int generations) override {
        for (int done = 0; done < generations; ++done) launch();
    }

  private:
    struct Work {
        std::shared_ptr<const capture::ExecutorKernel> kernel;
        capture::LaunchArguments arguments;
        std::unique_ptr<PlainLaunch> launch;
    };

    const Buffer& buffer(std::size_t array) const {
        return problem_->launch().buffers[problem_->buffers[array]];
    }

    void launch() {
        const auto work = std::make_shared<Work>();
        work->kernel = kernel_;
        work->arguments = kernel_->arguments(begins_);
        kernel_->fill_constants(problem_->content, begins_);
        std::vector<PlainField> fields;
        for (const NamedArray& array : arrays_) {
            const Size lines = array.lines();
            const int size = array.type.bytes();
            fields.push_back({array.name, store_.current(array.name),
                              Layout::make(lines.columns, lines.rows, 0, 1, size), size,
                              array.shape});
        }
        const capture::CandidateLaunchShape& shape = kernel_->shape();
        work->launch = std::make_unique<PlainLaunch>(kernel_->library(), std::move(fields),
                                                     shape.shared_bytes, limit_,
                                                     kernel_->cooperative());
        LaunchShape launch_shape;
        launch_shape.grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
        launch_shape.block = {shape.block[0], shape.block[1], shape.block[2]};
        launch_shape.dynamic_shared = shape.shared_bytes;
        launch_shape.cooperative = kernel_->cooperative();
        static_cast<simt::HostQueue&>(queue_).launch(name_.c_str(), launch_shape, [work] {
            work->launch->run_thread(work->kernel->library().kernel(0),
                                     work->arguments.pointers.data());
        });
    }

    Queue& queue_;
    std::shared_ptr<const CapturedProblem> problem_;
    std::shared_ptr<const capture::ExecutorKernel> kernel_;
    const std::vector<NamedArray>& arrays_;
    std::string name_;
    std::chrono::duration<double> limit_;
    FieldStore store_;
    std::vector<unsigned char*> begins_;  // by buffer
};

// Texts to which a variant's description refers.
struct CandidateTexts {
    std::string name;
    std::string summary;
    std::string origin;
};

Variant captured_variant(const std::shared_ptr<const CapturedProblem>& problem, const fs::path& file,
                         const Workload& workload, ElementType cell,
                         const CandidateOptions& options) {
    const auto kernel = std::make_shared<const capture::ExecutorKernel>(
        problem->capture, problem->index,
        capture::CandidateOrder{file, options.settings, {}, {}});
    if (!kernel->other_parameters().empty())
        throw Error(ExitCode::usage, fmt::format("{} has other parameters than the captured "
                                                 "kernel: {}",
                                                 file.string(), kernel->other_parameters()));
    const auto texts = std::make_shared<CandidateTexts>();
    texts->name = CacheFolder::part(file.filename().string());
    texts->summary = fmt::format("the kernel of {}", file.string());
    texts->origin = origin_of(file, options.settings);
    const capture::CandidateLaunchShape& shape = kernel->shape();
    const auto extent = [](std::uint32_t count) { return static_cast<int>(count); };

    Variant variant;
    VariantInfo& info = variant.info;
    info.workload = workload.name();
    info.cell = cell;
    info.technique = {texts->name, texts->summary, texts->origin, Family::other};
    info.shape.block = {extent(shape.block[0]), extent(shape.block[1])};
    info.shape.region = info.shape.block;
    info.shape.shared_bytes =
        shape.shared_bytes + kernel->library().static_shared(kernel->library().kernel(0));
    std::string block = info.shape.block.name();
    if (shape.block[2] > 1) block += fmt::format("x{}", shape.block[2]);
    info.shape.path = block;
    for (const auto& [name, value] : shape.macros)
        if (!is_compiler_flag(name))
            info.shape.path += "/" + CacheFolder::part(name) + "=" + CacheFolder::part(value);
    info.parameters = {{"block", block},
                       {"kernel", capture::plain_function(problem->capture.file.kernel)}};
    info.arithmetic = Arithmetic::reordered;
    info.bytes_per_cell = moved_bytes_per_cell(workload, cell);
    info.threads_per_block = extent(shape.block[0] * shape.block[1] * shape.block[2]);
    info.smallest_element = camber::info(cell).size;
    const std::vector<NamedArray>& arrays = named_arrays_of(workload)->arrays();
    variant.factories[Backend::simt] = [problem, kernel, texts, &arrays, limit = options.limit](
                                           Queue& queue, const Problem&) {
        return std::make_unique<CapturedExecution>(queue, problem, kernel, arrays, texts->name,
                                                   limit);
    };
    variant.file = texts->origin;
    return variant;
}

}  // namespace

std::unique_ptr<ArrayWorkload> captured_workload(const std::string& text) {
    const capture::CapturedReference reference = capture::captured_reference(text);
    auto problem = std::make_shared<CapturedProblem>();
    problem->capture = capture::read_capture(reference.folder);
    if (const std::string why = capture::unsupported_construct(problem->capture); !why.empty())
        throw Error(ExitCode::unavailable, why);
    problem->index = capture::launch_index(problem->capture.file, reference);
    const capture::CapturedLaunch& launch = problem->launch();
    if (capture::changed_bytes(problem->capture, problem->index) == 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("launch {} changed no byte in the program, because its result was "
                                "there before, so that nothing can be verified without a GPU: "
                                "capture another launch",
                                launch.number));
    problem->content = capture::read_memory(problem->capture, problem->index);
    const std::vector<capture::Part> parts = capture::parts_of(problem->capture, problem->index);
    const std::vector<Element> elements =
        capture::elements_of(problem->capture, problem->index, parts);
    ArrayDefinition definition;
    std::map<std::string, ArrayRule, std::less<>> rules;
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        const Buffer& buffer = launch.buffers[k];
        if (buffer.kind == BufferKind::variable) continue;
        NamedArray array{fmt::format("buffer{}", k), type_of(buffer, k, parts, elements), {}, true,
                         buffer.after.has_value()};
        array.shape = {static_cast<std::int64_t>(buffer.bytes) / array.type.bytes()};
        check_extents(array, reference.folder.string());
        definition.inputs[array.name] = as_bytes(problem->content[k].before);
        ArrayRule rule{.exact = true};
        if (array.written) {
            std::vector<std::byte> expected = as_bytes(problem->content[k].after(buffer));
            rule = rule_for(array.type, expected);
            definition.expected[array.name] = std::move(expected);
        }
        rules[array.name] = rule;
        problem->buffers.push_back(k);
        definition.arrays.push_back(std::move(array));
    }
    std::string name = "captured_" + CacheFolder::part(capture::plain_function(
                                         problem->capture.file.kernel));
    if (reference.number) name += fmt::format("_{}", *reference.number);
    auto workload =
        ArrayWorkload::make(name, fmt::format("launch {} of {}", launch.number,
                                              reference.folder.string()),
                            std::move(definition), std::move(rules));
    set_candidate_maker(*workload, [problem, of = workload.get()](const fs::path& file,
                                                                  ElementType cell,
                                                                  const CandidateOptions& options) {
        return captured_variant(problem, file, *of, cell, options);
    });
    return workload;
}

}  // namespace camber
