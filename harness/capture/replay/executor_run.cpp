#include "harness/capture/replay/executor_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <regex>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/capture/cuda_driver.hpp"
#include "harness/capture/replay/comparison.hpp"
#include "harness/machine/simt/executor.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/host/plain_launch.hpp"

namespace camber::capture {

namespace {

constexpr std::size_t buffer_alignment = 256;
constexpr const char* launch_mark = "// camber:";

// Relative rounding error that sums of a few dozen products may have.
double rounding_of(Element element) {
    switch (element) {
        case Element::bytes:
            return 0;
        case Element::float16:
            return 4e-3;
        case Element::bfloat16:
            return 3e-2;
        case Element::float32:
            return 1e-5;
        case Element::float64:
            return 1e-13;
    }
    return 0;
}

// Memory of a captured launch in this process, with its own addresses.
class HostMemory {
  public:
    HostMemory(const Capture& capture, std::size_t index)
        : launch_(capture.file.launches.at(index)), content_(read_memory(capture, index)) {
        for (std::size_t k = 0; k < launch_.buffers.size(); ++k) {
            const Buffer& buffer = launch_.buffers[k];
            // Alignment of a kernel's accesses is that of the device's addresses.
            const std::size_t shift = buffer.address % buffer_alignment;
            const std::size_t bytes =
                (shift + buffer.bytes + buffer_alignment) / buffer_alignment * buffer_alignment;
            memory_.emplace_back(
                static_cast<unsigned char*>(std::aligned_alloc(buffer_alignment, bytes)),
                std::free);
            if (memory_.back() == nullptr) throw std::bad_alloc();
            begin_.push_back(memory_.back().get() + shift);
        }
        for (std::size_t k = 0; k < begin_.size(); ++k) {
            ByteVector before = content_[k].before;
            patch(launch_.buffers[k].pointers, before);
            std::ranges::copy(before, begin_[k]);
        }
    }

    void patch(const std::vector<PointerWord>& pointers, ByteVector& bytes) const {
        for (const PointerWord& word : pointers) {
            std::uint64_t address = 0;
            std::memcpy(&address, bytes.data() + word.offset, sizeof address);
            const Buffer& target = launch_.buffers[word.buffer];
            if (address < target.address || address - target.address > target.bytes) continue;
            address =
                reinterpret_cast<std::uint64_t>(begin_[word.buffer]) + (address - target.address);
            std::memcpy(bytes.data() + word.offset, &address, sizeof address);
        }
    }

    ByteVector expected(std::size_t buffer) const {
        ByteVector bytes = content_[buffer].after(launch_.buffers[buffer]);
        patch(launch_.buffers[buffer].pointers, bytes);
        return bytes;
    }

    unsigned char* begin(std::size_t buffer) const { return begin_[buffer]; }

    std::vector<PlainField> fields() const {
        std::vector<PlainField> fields;
        for (std::size_t k = 0; k < begin_.size(); ++k) {
            const Buffer& buffer = launch_.buffers[k];
            if (buffer.kind == BufferKind::variable) continue;
            // Large elements, because a row has fewer than 2^31.
            const int element = buffer.bytes % 16 == 0 ? 16 : buffer.bytes % 4 == 0 ? 4 : 1;
            const std::uint64_t count = buffer.bytes / static_cast<std::uint64_t>(element);
            if (count > INT32_MAX)
                throw Error(ExitCode::unavailable,
                            fmt::format("buffer {} has {} bytes, too many for the executor: use a "
                                        "machine with a GPU",
                                        k, buffer.bytes));
            fields.push_back({fmt::format("buffer {}", k), begin_[k],
                              Layout::make(static_cast<int>(count), 1, 0, 1, element), element});
        }
        return fields;
    }

  private:
    const CapturedLaunch& launch_;
    std::vector<BufferContent> content_;
    std::vector<std::unique_ptr<unsigned char, void (*)(void*)>> memory_;
    std::vector<unsigned char*> begin_;
};

// Name of the source's kernel: that of the captured one, or the only one.
std::string kernel_in(const std::string& text, const CandidateOrder& order,
                      const std::string& wanted) {
    const std::vector<std::string> names = kernels_in(text);
    if (std::ranges::find(names, wanted) != names.end()) return wanted;
    if (names.size() == 1) return names.front();
    throw Error(ExitCode::usage,
                fmt::format("the candidate {} has the kernels {}, and none is called {}: choose "
                            "one by --set kernel=NAME",
                            order.file.string(), fmt::join(names, ", "), wanted));
}

// The source with a launch line that names the kernel and the constants to fill.
CandidateSource source_for(const Capture& capture, const CapturedLaunch& launch,
                           const CandidateOrder& order, const CandidateLaunchShape& shape,
                           std::vector<std::size_t>& constants) {
    std::string text = read_file(order.file, "candidate", "a kernel's source");
    const std::string kernel = kernel_in(
        text, order, shape.kernel.empty() ? plain_function(capture.file.kernel) : shape.kernel);
    std::string line = fmt::format("\n{} {}(", launch_mark, kernel);
    for (std::size_t k = 0; k < capture.file.parameters.size(); ++k) line += k == 0 ? "0" : ", 0";
    line += ") block=1";
    if (shape.shared_bytes > 0) line += fmt::format(" shared={}", shape.shared_bytes);
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        const Buffer& buffer = launch.buffers[k];
        if (buffer.kind != BufferKind::variable) continue;
        const std::string name = plain_function(buffer.name);
        const std::string declared = "__constant__[^;]*\\b" + name + "\\b";
        if (!std::regex_search(text, std::regex(declared))) continue;
        if (!std::regex_search(text, std::regex(declared + "\\s*\\[")))
            throw Error(ExitCode::usage,
                        fmt::format("the executor fills arrays in constant memory, and {} in {} is "
                                    "none: declare {}[1]",
                                    name, order.file.string(), name));
        line += fmt::format(" constant={}:values", name);
        constants.push_back(k);
    }
    // Lines for a captured launch are none for the executor.
    for (std::size_t at = 0; (at = text.find(launch_mark, at)) != text.npos; ++at)
        text.replace(at, std::strlen(launch_mark), "//        ");
    camber::Settings settings = shape.macros;
    for (auto& flag : compiler_flags(order.definitions, order.include_folders))
        settings.push_back(std::move(flag));
    return candidate_from(order.file, text + line + "\n", settings);
}

std::string sizes_of(const std::vector<std::uint64_t>& bytes) {
    return fmt::format("{} bytes", fmt::join(bytes, ", "));
}

// Describes the parameters of both kernels if they differ; else "".
std::string other_parameters(const CamberKernel& kernel, const std::vector<Parameter>& captured) {
    std::vector<std::uint64_t> own;
    for (int k = 0; k < kernel.count; ++k) own.push_back(kernel.parameters[k].type.size);
    std::vector<std::uint64_t> wanted;
    for (const Parameter& one : captured) wanted.push_back(one.bytes);
    if (own == wanted) return "";
    return fmt::format("{}; the original has {}", sizes_of(own), sizes_of(wanted));
}

std::vector<ByteTolerance> roundings(const HostMemory& memory, const std::vector<Part>& parts,
                                     const std::vector<Element>& elements) {
    std::vector<ByteTolerance> all;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        if (elements[k] == Element::bytes) continue;
        const ByteVector expected = memory.expected(parts[k].buffer);
        const std::size_t bytes = element_bytes(elements[k]);
        double largest = 0;
        for (std::uint64_t at = parts[k].begin; at + bytes <= parts[k].end; at += bytes)
            if (const double value = std::abs(value_of(elements[k], expected.data() + at));
                std::isfinite(value))
                largest = std::max(largest, value);
        const double relative = rounding_of(elements[k]);
        all.push_back({parts[k].buffer, parts[k].begin, parts[k].end, elements[k],
                       relative * largest, relative});
    }
    return all;
}

}  // namespace

std::uint64_t changed_bytes(const Capture& capture, std::size_t index) {
    std::uint64_t bytes = 0;
    for (const Buffer& buffer : capture.file.launches.at(index).buffers)
        if (buffer.after) bytes += buffer.after->bytes;
    return bytes;
}

ExecutorRun run_on_executor(const Capture& capture, std::size_t index, const CandidateOrder& order,
                            const std::vector<Part>& parts, const std::vector<Element>& elements,
                            std::chrono::duration<double> limit) {
    const CapturedLaunch& launch = capture.file.launches.at(index);
    const CandidateLaunchShape shape = launch_shape(order, launch);
    std::vector<std::size_t> constants;
    const CandidateSource source = source_for(capture, launch, order, shape, constants);
    const std::string name = order.file.string();
    const HostLibrary library(compile_for_host(source, BuildCache(CacheFolder::of_user())), name);
    library.bind(&PlainLaunch::host());
    ExecutorRun run;
    const CamberKernel& kernel = library.kernel(0);
    run.other_parameters = other_parameters(kernel, capture.file.parameters);
    if (!run.other_parameters.empty()) return run;

    const HostMemory memory(capture, index);
    for (std::size_t k = 0; k < constants.size(); ++k) {
        const CamberConstant& constant = library.constant(k);
        const std::uint64_t bytes =
            std::min<std::uint64_t>(launch.buffers[constants[k]].bytes,
                                    std::uint64_t{constant.element.size} * constant.count);
        std::memcpy(constant.address, memory.begin(constants[k]), bytes);
    }
    ByteVector parameters;
    from_hexadecimal(launch.parameters, parameters);
    memory.patch(launch.pointers, parameters);
    std::vector<void*> arguments;
    for (const Parameter& one : capture.file.parameters)
        arguments.push_back(parameters.data() + one.offset);
    const bool cooperative = std::ranges::any_of(
        launch.attributes,
        [](const LaunchAttribute& attribute) { return attribute.id == cu_attribute_cooperative; });
    const auto extent = [](const Dimensions& d) { return simt::Extent3{d[0], d[1], d[2]}; };
    PlainLaunch plain(library, memory.fields(), shape.shared_bytes, limit, cooperative);
    const auto begin = std::chrono::steady_clock::now();
    {
        constexpr std::chrono::hours unlimited{1000};
        const CandidateActivity running(CandidateWork::running, name, unlimited);
        simt::Executor executor;
        executor.run(
            {name, extent(shape.grid), extent(shape.block), shape.shared_bytes, cooperative},
            [&] { plain.run_thread(kernel, arguments.data()); });
    }
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const std::vector<ByteTolerance> tolerances = roundings(memory, parts, elements);
    for (std::size_t k = 0; k < launch.buffers.size(); ++k) {
        if (launch.buffers[k].kind == BufferKind::variable) continue;
        compare(
            k, memory.expected(k), {memory.begin(k), launch.buffers[k].bytes}, tolerances,
            [](std::uint64_t, std::uint64_t) { return false; }, run.difference);
    }
    return run;
}

}  // namespace camber::capture
