// The machine code of this program's kernels: what cuobjdump tells of it.
#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <string>

#include "harness/static/instruction_mix.hpp"

namespace camber {

// Disassembling takes seconds, so it is done once, for all kernels, in the background.
class KernelCode {
  public:
    // Of the running program.
    static KernelCode& of_this_program();

    explicit KernelCode(std::filesystem::path executable);

    // Starts the disassembler for one compute capability, the first time it is called. Where there
    // is no cuobjdump, or the program has no machine code for it, no mix will be known.
    void prepare(int major, int minor);
    // Until it has ended.
    void wait();

    // By mangled name; nullptr where unknown. Waits.
    const InstructionMix* mix(const std::string& symbol);

  private:
    std::filesystem::path executable_;
    std::future<std::map<std::string, InstructionMix>> pending_;
    std::map<std::string, InstructionMix> mixes_;
    bool prepared_ = false;
};

}  // namespace camber
