#include "harness/cli/inspect/inspected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "analysis/memory/architecture.hpp"
#include "analysis/time/machine.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/machine/binary/inspection.hpp"

namespace camber {
namespace {

using results::BlockOccupancy;
using results::CodeInspection;
using results::CompiledKernel;

std::optional<Architecture> architecture_of(std::string_view name) {
    // "sm_90a" and "sm_100f" have the limits of sm_90 and sm_100.
    const std::string plain(name.substr(0, name.find_last_of("0123456789") + 1));
    try {
        return parse_architecture(plain);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

std::int64_t threads_of(const std::array<int, 3>& block) {
    std::int64_t threads = 1;
    for (const int size : block) threads = std::min<std::int64_t>(threads * size, INT32_MAX);
    return threads;
}

// Occupancy for each block size that the kernel permits. Dynamic shared memory, which the launch
// chooses, is not included.
std::vector<BlockOccupancy> occupancy_of(const CompiledKernel& kernel, std::vector<int> blocks) {
    std::vector<BlockOccupancy> at;
    const auto architecture = architecture_of(kernel.architecture);
    if (!architecture || !kernel.registers || kernel.kind != results::CodeKind::kernel) return at;
    constexpr std::int64_t most_threads = 1024;
    std::int64_t limit = most_threads;
    for (const auto& bound : {kernel.max_block, kernel.required_block})
        if (bound && threads_of(*bound) > 0) {
            limit = std::min(limit, threads_of(*bound));
            blocks.push_back(static_cast<int>(limit));
        }
    if (kernel.required_block) blocks = {static_cast<int>(limit)};
    std::ranges::sort(blocks);
    const auto same = std::ranges::unique(blocks);
    blocks.erase(same.begin(), same.end());
    // More than any SM has: keeps the sum with the system's part in range.
    constexpr std::int64_t most_shared = 1 << 20;
    for (const int threads : blocks) {
        if (threads > limit) continue;
        const auto share = occupancy(
            {threads, std::min(*kernel.registers, 1024),
             static_cast<std::size_t>(std::min(kernel.shared_bytes.value_or(0), most_shared))},
            *architecture);
        if (share) at.push_back({threads, *share});
    }
    return at;
}

// The name alone, without scope and template arguments: "blur".
std::string_view plain_kernel_name(std::string_view name) {
    name = bare_kernel_name(name);
    name = name.substr(0, name.find('<'));
    const auto scope = name.rfind("::");
    return scope == std::string_view::npos ? name : name.substr(scope + 2);
}

bool is_chosen(const CompiledKernel& kernel, const KernelChoice& choice) {
    const auto any = [](const auto& list, const auto& matches) {
        return list.empty() || std::ranges::any_of(list, matches);
    };
    return any(choice.architectures,
               [&](const std::string& name) { return name == kernel.architecture; }) &&
           any(choice.kernels, [&](const std::string& glob) {
               return matches_glob(glob, kernel.name) || matches_glob(glob, kernel.symbol) ||
                      matches_glob(glob, bare_kernel_name(kernel.name)) ||
                      matches_glob(glob, plain_kernel_name(kernel.name));
           });
}

[[noreturn]] void report_none(const CodeInspection& all, const std::string& path,
                              const KernelChoice& choice) {
    std::vector<std::string> names;
    std::vector<std::string> architectures;
    const auto add = [](std::vector<std::string>& list, std::string_view text) {
        if (std::ranges::find(list, text) == list.end()) list.emplace_back(text);
    };
    constexpr std::size_t most = 2000;  // names to search for a similar one
    for (const CompiledKernel& kernel : all.kernels) {
        if (names.size() < most) add(names, plain_kernel_name(kernel.name));
        add(architectures, kernel.architecture);
    }
    for (const std::string& wanted : choice.architectures)
        if (std::ranges::find(architectures, wanted) == architectures.end())
            throw Error(ExitCode::usage,
                        fmt::format("\"{}\" has no code for --arch {}: it has {}", path, wanted,
                                    architectures.empty()
                                        ? "no kernels"
                                        : fmt::format("{}", fmt::join(architectures, ", "))));
    const std::string glob = choice.kernels.empty() ? "*" : choice.kernels.front();
    throw Error(ExitCode::usage,
                fmt::format("\"{}\" has no kernel '{}'{}", path, glob, suggestion(glob, names)));
}

std::string start_of(const std::string& path) {
    constexpr std::size_t most = 200;
    std::string start(most, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return start;
}

CodeInspection read_any(const std::string& path) {
    const std::string file = found_file(path).string();
    if (results::is_inspection(start_of(file))) {
        CodeInspection read = results::parse_inspection(
            read_file(file, "inspection", "a file of camber inspect --format json"), path);
        read.file = path;
        return read;
    }
    Progress progress;
    int shown = -1;
    CodeInspection read = binary::inspect_file(file, [&](double share) {
        constexpr int steps = 100;
        const int now = static_cast<int>(steps * share);
        if (now > shown) progress.show(shown = now, steps, "percent of the file", share);
    });
    progress.clear();
    read.file = path;
    return read;
}

}  // namespace

std::string_view bare_kernel_name(std::string_view name) {
    // The parameter list is the last parenthesis at the outer level; a return type ends with a
    // blank at the outer level before it.
    int depth = 0;
    std::size_t start = 0;
    std::size_t end = name.size();
    bool in_parameters = false;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const char c = name[at];
        const bool anonymous = name.substr(at).starts_with("(anonymous namespace)");
        if (anonymous) {
            at += std::string_view("(anonymous namespace)").size() - 1;
            continue;
        }
        if (c == '(' && depth == 0 && !in_parameters && at > start) {
            end = at;
            in_parameters = true;
        }
        if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
        if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
        if (c == ' ' && depth == 0 && !in_parameters) start = at + 1;
    }
    return start < end ? name.substr(start, end - start) : name;
}

bool is_inspectable(const std::string& path) {
    const std::string file = found_file(path).string();
    return binary::is_compiled_code(file) || results::is_inspection(start_of(file));
}

CodeInspection inspected(const std::string& path, const KernelChoice& choice) {
    CodeInspection all = read_any(path);
    const bool chosen = std::ranges::any_of(
        all.kernels, [&](const CompiledKernel& kernel) { return is_chosen(kernel, choice); });
    if (!chosen && (!choice.kernels.empty() || !choice.architectures.empty()))
        report_none(all, path, choice);
    std::erase_if(all.kernels,
                  [&](const CompiledKernel& kernel) { return !is_chosen(kernel, choice); });
    for (CompiledKernel& kernel : all.kernels)
        if (kernel.occupancy.empty()) kernel.occupancy = occupancy_of(kernel, choice.blocks);
    return all;
}

}  // namespace camber
