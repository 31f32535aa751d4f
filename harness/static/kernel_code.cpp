#include "harness/static/kernel_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "harness/static/tool.hpp"

namespace camber {

namespace {

constexpr std::chrono::seconds longest_wait{120};

std::map<std::string, InstructionMix> disassemble(const std::filesystem::path& executable,
                                                  const std::string& architecture,
                                                  const std::vector<std::string>& symbols) {
    const auto tool = find_cuobjdump();
    if (!tool) return {};
    std::vector<std::string> arguments{"-sass", "-arch", architecture};
    if (!symbols.empty())
        arguments.insert(arguments.end(), {"-fun", fmt::format("{}", fmt::join(symbols, ","))});
    arguments.push_back(executable.string());
    const auto listing = output_of(*tool, arguments, longest_wait);
    return listing ? parse_listing(*listing) : std::map<std::string, InstructionMix>{};
}

}  // namespace

KernelCode& KernelCode::of_this_program() {
    // Resolved here: in the child, /proc/self would be the child.
    std::error_code error;
    static KernelCode code(std::filesystem::read_symlink("/proc/self/exe", error));
    return code;
}

KernelCode::KernelCode(std::filesystem::path executable) : executable_(std::move(executable)) {}

void KernelCode::prepare(int major, int minor, std::size_t variants) {
    if (!architecture_.empty() || executable_.empty()) return;
    architecture_ = fmt::format("sm_{}{}", major, minor);
    one_by_one_ = variants <= few_variants;
    if (!one_by_one_)
        pending_ = std::async(std::launch::async, disassemble, executable_, architecture_,
                              std::vector<std::string>{});
}

void KernelCode::wait() {
    if (pending_.valid()) mixes_ = pending_.get();
}

void KernelCode::load(const std::vector<std::string>& symbols) {
    wait();
    if (!one_by_one_) return;
    std::vector<std::string> unknown;
    for (const std::string& symbol : symbols)
        if (!mixes_.contains(symbol)) unknown.push_back(symbol);
    if (!unknown.empty()) mixes_.merge(disassemble(executable_, architecture_, unknown));
}

const InstructionMix* KernelCode::mix(const std::string& symbol) {
    wait();
    auto found = mixes_.find(symbol);
    if (found == mixes_.end() && one_by_one_) {
        mixes_.merge(disassemble(executable_, architecture_, {symbol}));
        // An empty one, where there is none, so that it is not looked for again.
        found = mixes_.try_emplace(symbol).first;
    }
    return found == mixes_.end() || found->second.total() == 0 ? nullptr : &found->second;
}

}  // namespace camber
