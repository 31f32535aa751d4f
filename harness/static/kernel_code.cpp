#include "harness/static/kernel_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/static/tool.hpp"

namespace camber {

namespace {

constexpr std::chrono::seconds longest_wait{120};
// The tool takes 0.4 s for each function that it is asked for, and 1.5 s for all 137 of a workload.
constexpr std::size_t most_functions = 4;
constexpr const char* first_line = "camber kernel instructions 1";

std::optional<std::map<std::string, InstructionMix>> disassemble(
    const std::filesystem::path& file, const std::string& architecture,
    const std::set<std::string>& symbols) {
    const auto tool = find_cuobjdump();
    if (!tool) return std::nullopt;
    std::vector<std::string> arguments{"-sass", "-arch", architecture};
    if (symbols.size() <= most_functions)
        arguments.insert(arguments.end(), {"-fun", fmt::format("{}", fmt::join(symbols, ","))});
    arguments.push_back(file.string());
    const auto listing = output_of(*tool, arguments, longest_wait);
    if (!listing) return std::nullopt;
    return parse_listing(*listing);
}

}  // namespace

std::string to_text(const std::map<std::string, InstructionMix>& mixes) {
    std::string text = fmt::format("{}\n", first_line);
    for (const auto& [symbol, mix] : mixes)
        text += fmt::format("{} {}\n", symbol, fmt::join(mix.count, " "));
    return text;
}

std::optional<std::map<std::string, InstructionMix>> parse_mixes(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    if (!std::getline(lines, line) || line != first_line) return std::nullopt;
    std::map<std::string, InstructionMix> mixes;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string symbol;
        words >> symbol;
        InstructionMix mix;
        for (std::int64_t& count : mix.count)
            if (!(words >> count) || count < 0) return std::nullopt;
        if (words >> line) return std::nullopt;
        mixes[symbol] = mix;
    }
    return mixes;
}

KernelCode::KernelCode(int major, int minor, CacheFolder cache)
    : architecture_(fmt::format("sm_{}{}", major, minor)), cache_(std::move(cache)) {}

std::string KernelCode::cache_name(const File& file) const {
    return fmt::format("kernels-{}-{}", file.code.build_id, architecture_);
}

KernelCode::File* KernelCode::file_of(const void* address) {
    const auto code = code_file_of(address);
    if (!code) return nullptr;
    const auto [entry, added] = files_.try_emplace(code->path);
    File& file = entry->second;
    if (added) {
        file.code = *code;
        if (!file.code.build_id.empty())
            if (const auto text = cache_.read(cache_name(file)))
                file.mixes = parse_mixes(*text).value_or(file.mixes);
    }
    return &file;
}

const InstructionMix* KernelCode::find(const std::string& symbol, const void* address) {
    File* const file = file_of(address);
    if (!file || symbol.empty()) return nullptr;
    const auto found = file->mixes.find(symbol);
    if (found == file->mixes.end()) {
        file->wanted.insert(symbol);
        return nullptr;
    }
    return found->second.total() == 0 ? nullptr : &found->second;
}

void KernelCode::load() {
    for (auto& [path, file] : files_) {
        if (file.wanted.empty()) continue;
        auto found = disassemble(path, architecture_, file.wanted);
        const std::set<std::string> wanted = std::exchange(file.wanted, {});
        if (!found) continue;
        file.mixes.merge(*found);
        for (const std::string& symbol : wanted) file.mixes.try_emplace(symbol);
        if (!file.code.build_id.empty()) cache_.write(cache_name(file), to_text(file.mixes));
    }
}

}  // namespace camber
