#include "harness/capture/replay/executor_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <regex>
#include <string>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/capture/cuda_driver.hpp"
#include "harness/capture/packed_file.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/plain_launch.hpp"
#include "harness/own/source/source.hpp"

namespace camber::capture {

namespace {

constexpr const char* launch_mark = "// camber:";

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

HostLibrary compiled(const Capture& capture, const CapturedLaunch& launch,
                     const CandidateOrder& order, const CandidateLaunchShape& shape,
                     std::vector<std::size_t>& constants) {
    const CandidateSource source = source_for(capture, launch, order, shape, constants);
    if (!source.device_only.empty())
        throw Error(ExitCode::unavailable,
                    fmt::format("{}, so the candidate runs on a GPU only", source.device_only));
    return HostLibrary(compile_for_host(source, BuildCache(CacheFolder::of_user())),
                       order.file.string());
}

}  // namespace

void move_addresses(const CapturedLaunch& launch, const std::vector<PointerWord>& pointers,
                    const std::vector<unsigned char*>& begins, unsigned char* bytes, Move move) {
    for (const PointerWord& word : pointers) {
        std::uint64_t address = 0;
        std::memcpy(&address, bytes + word.offset, sizeof address);
        const Buffer& target = launch.buffers[word.buffer];
        std::uint64_t from = target.address;
        auto to = reinterpret_cast<std::uint64_t>(begins[word.buffer]);
        if (move == Move::back) std::swap(from, to);
        if (address < from || address - from > target.bytes) continue;
        address = to + (address - from);
        std::memcpy(bytes + word.offset, &address, sizeof address);
    }
}

ExecutorKernel::ExecutorKernel(const Capture& capture, std::size_t index,
                               const CandidateOrder& order)
    : capture_(capture),
      launch_(capture.file.launches.at(index)),
      shape_(launch_shape(order, launch_)),
      library_(compiled(capture, launch_, order, shape_, constants_)),
      other_parameters_(camber::capture::other_parameters(library_.kernel(0),
                                                          capture.file.parameters)) {
    library_.bind(&PlainLaunch::host());
}

bool ExecutorKernel::cooperative() const {
    return std::ranges::any_of(launch_.attributes, [](const LaunchAttribute& attribute) {
        return attribute.id == cu_attribute_cooperative;
    });
}

void ExecutorKernel::fill_constants(const std::vector<BufferContent>& content,
                                    const std::vector<unsigned char*>& begins) const {
    for (std::size_t k = 0; k < constants_.size(); ++k) {
        const Buffer& buffer = launch_.buffers[constants_[k]];
        ByteVector bytes = content[constants_[k]].before;
        move_addresses(launch_, buffer.pointers, begins, bytes.data());
        const CamberConstant& constant = library_.constant(k);
        const std::uint64_t count = std::min<std::uint64_t>(
            bytes.size(), std::uint64_t{constant.element.size} * constant.count);
        std::memcpy(constant.address, bytes.data(), count);
    }
}

LaunchArguments ExecutorKernel::arguments(const std::vector<unsigned char*>& begins) const {
    LaunchArguments all;
    from_hexadecimal(launch_.parameters, all.bytes);
    move_addresses(launch_, launch_.pointers, begins, all.bytes.data());
    for (const Parameter& one : capture_.file.parameters)
        all.pointers.push_back(all.bytes.data() + one.offset);
    return all;
}

}  // namespace camber::capture
