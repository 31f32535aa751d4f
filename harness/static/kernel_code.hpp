// The machine code of this program's kernels: what cuobjdump tells of it.
#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <string>
#include <vector>

#include "harness/static/instruction_mix.hpp"

namespace camber {

// Disassembling all kernels takes half a minute, a few a third of a second: for many variants it is
// done once for all, in the background, else as they are asked for.
class KernelCode {
  public:
    // The code of the running program.
    static KernelCode& of_this_program();

    explicit KernelCode(std::filesystem::path executable);

    // For one compute capability, the first time it is called. With more than `few_variants` it
    // starts the disassembler. Where there is no cuobjdump, or the program has no machine code for
    // it, no mix will be known.
    void prepare(int major, int minor, std::size_t variants);
    static constexpr std::size_t few_variants = 40;
    // Until the disassembler has ended that prepare() started.
    void wait();

    // Disassembles those of these kernels, by mangled names, that are not known yet, together: the
    // tool takes as long for a few as for one. Waits.
    void load(const std::vector<std::string>& symbols);

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
