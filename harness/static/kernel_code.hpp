// The machine code of this program's kernels: what cuobjdump tells of it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/base/cache_folder.hpp"
#include "harness/static/code_file.hpp"
#include "harness/static/instruction_mix.hpp"

namespace camber {

// Instruction mixes of kernels for one compute capability. A kernel is looked up by its mangled
// name and by an address in the file that has it, such as that of its stub on the host. What was
// found out once is kept in a cache, by the build id of the file: the disassembler takes about a
// second.
class KernelCode {
  public:
    KernelCode(int major, int minor, CacheFolder cache);

    // What is known of it, else nullptr: it is then among those that load() disassembles.
    const InstructionMix* find(const std::string& symbol, const void* address);

    // Disassembles all kernels that find() did not know, those of a file together, and keeps what
    // it finds. Where there is no cuobjdump, or a file has no machine code for this compute
    // capability, they stay unknown.
    void load();

  private:
    struct File {
        CodeFile code;
        std::map<std::string, InstructionMix> mixes;  // an empty one: there is none
        std::set<std::string> wanted;
    };

    File* file_of(const void* address);
    std::string cache_name(const File& file) const;

    std::string architecture_;  // "sm_90"
    CacheFolder cache_;
    std::map<std::filesystem::path, File> files_;
};

// Mixes by mangled name as text, a line each, and back; of a text in another form, nullopt.
std::string to_text(const std::map<std::string, InstructionMix>& mixes);
std::optional<std::map<std::string, InstructionMix>> parse_mixes(const std::string& text);

}  // namespace camber
