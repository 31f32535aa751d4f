#include "harness/static/kernel_code.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/static/tool.hpp"

namespace camber {

namespace {

constexpr std::chrono::seconds longest_wait{60};  // 4 s are usual

std::map<std::string, InstructionMix> disassemble(const std::filesystem::path& executable,
                                                  const std::string& architecture) {
    const auto tool = find_cuobjdump();
    if (!tool) return {};
    const auto listing =
        output_of(*tool, {"-sass", "-arch", architecture, executable.string()}, longest_wait);
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

void KernelCode::prepare(int major, int minor) {
    if (std::exchange(prepared_, true) || executable_.empty()) return;
    pending_ = std::async(std::launch::async, disassemble, executable_,
                          fmt::format("sm_{}{}", major, minor));
}

void KernelCode::wait() {
    if (pending_.valid()) mixes_ = pending_.get();
}

const InstructionMix* KernelCode::mix(const std::string& symbol) {
    wait();
    const auto found = mixes_.find(symbol);
    return found == mixes_.end() ? nullptr : &found->second;
}

}  // namespace camber
