#include "harness/capture/replay/candidate_build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/machine/binary/code_identity.hpp"
#include "harness/machine/binary/cubin.hpp"
#include "harness/machine/sass/tool.hpp"
#include "harness/own/device_compiler.hpp"
#include "harness/own/host/host_compiler.hpp"

namespace camber::capture {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds longest_compilation{300};
constexpr std::string_view directive = "// camber: capture";

std::string architecture_of(std::int64_t compute_capability) {
    // Code for sm_90a may use all instructions of an sm_90 device.
    return fmt::format("sm_{}{}", compute_capability, compute_capability == 90 ? "a" : "");
}

std::string compiled(const CandidateOrder& order, const std::vector<std::string>& definitions,
                     std::int64_t compute_capability) {
    const std::string architecture = architecture_of(compute_capability);
    std::vector<std::string> flags{"-std=c++17", "-arch=" + architecture, "-lineinfo"};
    for (const std::string& one : definitions) flags.push_back("-D" + one);
    for (const std::string& one : order.include_folders)
        flags.push_back("-I" + fs::absolute(one).string());
    if (const auto nvcc = find_cuda_program("nvcc")) {
        const TemporaryFolder folder("compile a kernel");
        const fs::path cubin = folder.path() / "candidate.cubin";
        flags.insert(flags.end(),
                     {"-cubin", fs::absolute(order.file).string(), "-o", cubin.string()});
        run_compiler({*nvcc, order.file, true, longest_compilation}, flags, folder, true);
        return read_file(cubin, "compiled kernel", "a cubin");
    }
    const auto nvrtc = Nvrtc::find();
    if (!nvrtc)
        throw Error(ExitCode::unavailable,
                    fmt::format("neither nvcc nor NVRTC is here to compile {}: install the CUDA "
                                "Toolkit, or give a compiled .cubin",
                                order.file.string()));
    flags.push_back("-I" + fs::absolute(order.file).parent_path().string());
    const Nvrtc::Result result =
        nvrtc->compile(read_file(order.file, "candidate", "a kernel's source"),
                       order.file.filename().string(), {}, flags);
    if (result.cubin.empty())
        throw ErrorWithLines(
            ExitCode::usage,
            fmt::format("{} does not compile for the device; NVRTC says:", order.file.string()),
            first_messages(result.log));
    return result.cubin;
}

std::string chosen_kernel(const std::string& cubin, const CandidateOrder& order,
                          const std::string& captured, const std::string& wanted) {
    const std::string path = order.file.string();
    std::vector<std::string> symbols;
    for (const results::CompiledKernel& kernel :
         binary::kernels_in_cubin(binary::Bytes(cubin, fmt::format("\"{}\"", path)), ""))
        if (kernel.kind == results::CodeKind::kernel) symbols.push_back(kernel.symbol);
    if (symbols.empty())
        throw Error(ExitCode::usage,
                    fmt::format("the candidate {} has no kernel: write a __global__ function with "
                                "the parameters of {}",
                                path, binary::readable_name(captured)));
    const std::string name = wanted.empty() ? plain_function(captured) : wanted;
    for (const std::string& symbol : symbols)
        if (symbol == wanted || (wanted.empty() && symbol == captured)) return symbol;
    std::vector<std::string> alike;
    for (const std::string& symbol : symbols)
        if (plain_function(symbol) == name) alike.push_back(symbol);
    if (alike.size() == 1) return alike.front();
    if (wanted.empty() && symbols.size() == 1) return symbols.front();
    std::vector<std::string> names;
    for (const std::string& symbol : symbols) names.push_back(binary::readable_name(symbol));
    throw Error(ExitCode::usage,
                fmt::format("the candidate {} has the kernels {}, and none alone is called {}: "
                            "choose one by --set kernel=NAME",
                            path, fmt::join(names, ", "), name));
}

}  // namespace

std::string plain_function(const std::string& symbol) {
    std::string name = binary::readable_name(symbol);
    name = name.substr(0, std::min(name.find('('), name.find('<')));
    if (const std::size_t colon = name.rfind("::"); colon != name.npos) name.erase(0, colon + 2);
    if (const std::size_t blank = name.rfind(' '); blank != name.npos) name.erase(0, blank + 1);
    return name;
}

Settings settings_in(const std::string& source) {
    Settings settings;
    std::istringstream lines(source);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find(directive);
        if (at == line.npos) continue;
        std::istringstream words(line.substr(at + directive.size()));
        for (std::string word; words >> word;)
            if (const std::size_t sign = word.find('='); sign != word.npos)
                settings.emplace_back(word.substr(0, sign), word.substr(sign + 1));
    }
    return settings;
}

Dimensions parse_dimensions(const std::string& text, const std::string& option) {
    Dimensions parsed{1, 1, 1};
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    for (std::size_t k = 0; k < 3; ++k) {
        const auto [next, error] = std::from_chars(at, end, parsed[k]);
        if (error != std::errc() || parsed[k] == 0) break;
        at = next;
        if (at == end) return parsed;
        if (*at++ != 'x') break;
    }
    throw Error(
        ExitCode::usage,
        fmt::format("{}={} is no extent: give one to three numbers, such as 32x4", option, text));
}

Dimensions covering_grid(const CapturedLaunch& launch, const Dimensions& block) {
    Dimensions grid{};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint64_t threads = std::uint64_t{launch.grid[k]} * launch.block[k];
        grid[k] = static_cast<std::uint32_t>((threads + block[k] - 1) / block[k]);
    }
    return grid;
}

const std::string& CandidateBuilder::cubin_of(const CandidateOrder& order,
                                              const std::vector<std::string>& definitions) {
    std::error_code error;
    const auto time = fs::last_write_time(order.file, error).time_since_epoch().count();
    const std::string key =
        fmt::format("{}\n{}\n{}", order.file.string(), time, fmt::join(definitions, "\n"));
    if (const auto known = cubins_.find(key); known != cubins_.end()) return known->second;
    const bool is_compiled = order.file.extension() == ".cubin";
    return cubins_[key] = is_compiled
                              ? read_file(order.file, "candidate", "a cubin")
                              : compiled(order, definitions, capture_.file.compute_capability);
}

CandidateLaunchShape launch_shape(const CandidateOrder& order, const CapturedLaunch& launch) {
    Settings settings;
    if (order.file.extension() != ".cubin")
        settings = settings_in(read_file(order.file, "candidate", "a kernel's source"));
    for (const auto& [name, value] : order.settings) {
        std::erase_if(settings, [&, &n = name](const auto& one) { return one.first == n; });
        // A grid in the file belongs to the block in the file.
        if (name == "block")
            std::erase_if(settings, [](const auto& one) { return one.first == "grid"; });
        settings.emplace_back(name, value);
    }
    CandidateLaunchShape shape;
    shape.block = launch.block;
    shape.shared_bytes = launch.shared_bytes;
    std::optional<Dimensions> grid;
    for (const auto& [name, value] : settings) {
        if (name == "block")
            shape.block = parse_dimensions(value, name);
        else if (name == "grid")
            grid = parse_dimensions(value, name);
        else if (name == "kernel")
            shape.kernel = value;
        else if (name == "shared")
            shape.shared_bytes = parse_dimensions(value, name)[0];
        else
            shape.macros.emplace_back(name, value);
    }
    shape.has_own_grid = grid.has_value();
    shape.has_own_block = shape.block != launch.block;
    shape.grid =
        grid.value_or(shape.has_own_block ? covering_grid(launch, shape.block) : launch.grid);
    return shape;
}

CandidateCode CandidateBuilder::build(const CandidateOrder& order) {
    const CandidateLaunchShape shape = launch_shape(order, capture_.file.launches.front());
    CandidateCode code;
    code.name = order.file.filename().string();
    for (const auto& [name, value] : order.settings)
        code.name += fmt::format(" {}={}", name, value);
    if (shape.has_own_grid) code.grid = shape.grid;
    if (shape.has_own_block) code.block = shape.block;
    code.shared_bytes = shape.shared_bytes;
    std::vector<std::string> definitions = order.definitions;
    for (const auto& [name, value] : shape.macros) definitions.push_back(name + "=" + value);
    const std::string& cubin = cubin_of(order, definitions);
    code.kernel = chosen_kernel(cubin, order, capture_.file.kernel, shape.kernel);
    code.file =
        folder_.write(fmt::format("{}.cubin", CacheFolder::part(code.name)), cubin).string();
    return code;
}

}  // namespace camber::capture
