#include "harness/cli/common/candidate_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <utility>

#include "analysis/time/occupancy.hpp"
#include "harness/base/error.hpp"
#include "harness/base/temporary_folder.hpp"
#include "harness/machine/sass/instruction_mix.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/measure/identity.hpp"
#include "harness/own/device/device_compiler.hpp"
#include "harness/own/host/host_library.hpp"

namespace camber {

namespace {

constexpr std::chrono::seconds longest_wait{60};

// The function that a launch of this name is of, without its parameters.
std::string function_of(const std::string& kernel, const Problem& problem) {
    if (kernel != "torus_halo") return kernel;
    const std::size_t bytes = info(problem.cell).size;
    return fmt::format("camber_torus_halo<unsigned {}>", bytes == 1   ? "char"
                                                         : bytes == 4 ? "int"
                                                                      : "long long");
}

using Mixes = std::map<std::string, InstructionMix>;

// By the function's name; where its line names a template's arguments by macros, by the template,
// of which a file for one variant has one instance.
Mixes::const_iterator find_kernel(const Mixes& mixes, const std::string& function) {
    const auto exact = std::ranges::find_if(
        mixes, [&](const auto& entry) { return function_name(entry.first) == function; });
    if (exact != mixes.end()) return exact;
    const auto name_only = [](const std::string& name) { return name.substr(0, name.find('<')); };
    const auto instance = [&](const auto& entry) {
        return name_only(function_name(entry.first)) == name_only(function);
    };
    return std::ranges::count_if(mixes, instance) == 1 ? std::ranges::find_if(mixes, instance)
                                                       : mixes.end();
}

std::optional<int> number_after(std::string_view line, std::string_view word) {
    const auto at = line.find(word);
    if (at == line.npos) return std::nullopt;
    int number = 0;
    const char* const begin = line.data() + at + word.size();
    return std::from_chars(begin, line.data() + line.size(), number).ec == std::errc()
               ? std::optional(number)
               : std::nullopt;
}

}  // namespace

std::optional<ResourceUsage> parse_usage(std::string_view listing, std::string_view symbol) {
    const auto head = listing.find(fmt::format("Function {}:", symbol));
    if (head == listing.npos) return std::nullopt;
    const auto begin = std::min(listing.find('\n', head), listing.size() - 1) + 1;
    const auto line = listing.substr(begin, listing.find('\n', begin) - begin);
    const auto registers = number_after(line, "REG:");
    const auto stack = number_after(line, "STACK:");
    if (!registers || !stack) return std::nullopt;
    return ResourceUsage{*registers, std::max(*stack, number_after(line, " LOCAL:").value_or(0))};
}

std::variant<std::vector<results::Kernel>, std::string> candidate_code(
    const CandidateSource& source, const Prediction& prediction) {
    const auto tool = find_cuobjdump();
    if (!tool) return "cuobjdump of the CUDA Toolkit is not here";
    const Architecture& architecture = prediction.architecture;
    Mixes mixes;
    std::optional<std::string> usage;
    try {
        const DeviceBuild build =
            compile_for_device(source, 10 * architecture.major + architecture.minor,
                               BuildCache(CacheFolder::of_user()));
        const TemporaryFolder folder("take a kernel's machine code apart");
        const auto cubin = folder.write("kernel.cubin", build.cubin);
        if (const auto listing = output_of(*tool, {"-sass", cubin.string()}, longest_wait))
            mixes = parse_listing(*listing);
        usage = output_of(*tool, {"-res-usage", cubin.string()}, longest_wait);
    } catch (const Error& error) {
        return error.code() == ExitCode::unavailable
                   ? "no CUDA compiler is here"
                   : fmt::format("a kernel does not compile for {}", to_string(architecture));
    }
    std::vector<results::Kernel> kernels;
    for (const KernelPrediction& launch : prediction.kernels) {
        const std::string function = function_of(launch.kernel, prediction.problem);
        const auto found = find_kernel(mixes, function);
        const auto resources =
            found == mixes.end() || !usage ? std::nullopt : parse_usage(*usage, found->first);
        if (!resources)
            return fmt::format("cuobjdump tells nothing of the kernel {}", launch.kernel);
        results::Kernel& kernel = kernels.emplace_back();
        kernel.name = launch.kernel;
        kernel.registers = resources->registers;
        kernel.local_bytes = resources->local_bytes;
        kernel.occupancy = occupancy({static_cast<int>(launch.block.count()), resources->registers,
                                      prediction.variant->info.shape.shared_bytes},
                                     architecture);
        if (!kernel.occupancy)
            return fmt::format("the SM limits of {} are unavailable", to_string(architecture));
        record(found->second, kernel);
    }
    return kernels;
}

}  // namespace camber
