// The machine code of this program's kernels: what cuobjdump tells of it.
#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <string>

#include "harness/static/instruction_mix.hpp"

namespace camber {

// Disassembling all kernels takes half a minute, one kernel a third of a second: for many variants
// it is done once for all, in the background, else kernel by kernel as they are asked for.
class KernelCode {
  public:
    // Of the running program.
    static KernelCode& of_this_program();

    explicit KernelCode(std::filesystem::path executable);

    // For one compute capability, the first time it is called. With more than `few_variants` it
    // starts the disassembler. Where there is no cuobjdump, or the program has no machine code for
    // it, no mix will be known.
    void prepare(int major, int minor, std::size_t variants);
    static constexpr std::size_t few_variants = 40;
    // Until the disassembler has ended that prepare() started.
    void wait();

    // By mangled name; nullptr where unknown. Waits.
    const InstructionMix* mix(const std::string& symbol);

  private:
    std::filesystem::path executable_;
    std::future<std::map<std::string, InstructionMix>> pending_;
    std::map<std::string, InstructionMix> mixes_;
    std::string architecture_;  // empty until prepared
    bool one_by_one_ = false;
};

}  // namespace camber
