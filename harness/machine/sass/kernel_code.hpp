// Instruction mixes of this program's kernels, from the machine code in the file that each kernel
// was loaded from.
#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "harness/base/files.hpp"
#include "harness/machine/sass/instruction_mix.hpp"

namespace camber {

// File that a function of this process was loaded from.
struct CodeFile {
    std::filesystem::path path;  // the program, or a library that it loaded
    std::string build_id;        // the linker's build id in hexadecimal digits; "" if there is none
};

// Returns the file of code or data at this address; nullopt if there is none.
std::optional<CodeFile> code_file_of(const void* address);

// Instruction mixes of kernels for one compute capability. A kernel is looked up by its mangled
// name and by an address in the file that contains it, such as that of its stub on the host.
// Results are cached by the file's build id, because the disassembler takes seconds.
class KernelCode {
  public:
    KernelCode(int major, int minor, CacheFolder cache);

    // The mix if it is available; otherwise nullptr, and the kernel is disassembled by the next
    // start() or load().
    const results::Kernel* find(const std::string& symbol, const void* address);

    // Begins to disassemble the kernels that find() has missed, at the lowest priority and beside
    // other work. Their mixes become available with a later start() or with load().
    void start();

    // Disassembles the kernels that find() has missed, waits for all of them and caches the
    // results. Without cuobjdump, or if a file has no machine code for this compute capability,
    // they stay unavailable.
    void load();

  private:
    struct File {
        CodeFile code;
        Mixes mixes;  // a mix without instructions: the file has no such kernel
        std::set<std::string> wanted;
        std::set<std::string> listed;  // requested in `listing`, while that is valid
        std::future<Mixes> listing;
    };

    File* file_of(const void* address);
    std::string cache_name(const File& file) const;
    void collect(File& file);
    void finish();

    std::string architecture_;  // "sm_90"
    CacheFolder cache_;
    std::map<std::filesystem::path, File> files_;
};

// Converts mixes to the text of a code table with their symbols as names, and back; nullopt if the
// text has another form.
std::string to_text(const Mixes& mixes);
std::optional<Mixes> parse_mixes(const std::string& text);

}  // namespace camber
